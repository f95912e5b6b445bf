/** A vector as it is stored: one signed byte per dimension, and the signs as a string of bits. */
export interface CompactVector {
  readonly bytes: Int8Array
  readonly signs: string
}

/** Keeps the direction, which is all that counts. */
export const toCompactVector = (values: readonly number[]): CompactVector => {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  return {
    bytes: Int8Array.from(values, (value) => Math.round((127 * value) / largest)),
    signs: values.map((value) => (value > 0 ? '1' : '0')).join(''),
  }
}

/** The cosine of the angle between two vectors, from -1 to 1. */
export const measureSimilarity = (a: Int8Array, b: Int8Array): number => {
  let [product, squareA, squareB] = [0, 0, 0]
  for (let i = 0; i < a.length; i += 1) {
    product += a[i]! * b[i]!
    squareA += a[i]! * a[i]!
    squareB += b[i]! * b[i]!
  }
  return product === 0 ? 0 : product / Math.sqrt(squareA * squareB)
}
