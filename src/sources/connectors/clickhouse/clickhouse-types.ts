/** The type without Nullable and LowCardinality. */
export const getInnerType = (type: string): string =>
  /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1]?.replace(/^Nullable\((.*)\)$/, '$1') ?? type
