/** Whether a routine may read or write tables: one that only computes has no lineage. */
export const mayUseTables = (definition: string): boolean => /\b(?:from|join|into|update|delete|merge)\b/i.test(definition)
