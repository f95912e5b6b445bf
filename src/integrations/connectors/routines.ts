/** Whether a routine may read or write a table: one that only reckons does neither, and has no lineage to be read. */
export const touchesTables = (definition: string): boolean => /\b(?:from|join|into|update|delete|merge)\b/i.test(definition)
