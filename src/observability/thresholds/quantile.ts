/** The median; NaN for an empty list. */
export const computeMedian = (values: readonly number[]): number => {
  const n = values.length
  if (!n) return Number.NaN
  const sorted = Float64Array.from(values).sort()
  return n % 2 ? sorted[n >> 1]! : (sorted[n / 2 - 1]! + sorted[n / 2]!) / 2
}

/** The normal quantile (Acklam's approximation, relative error below 1.2e-9). */
export const normalQuantile = (p: number): number => {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  if (p > 0.5) return -normalQuantile(1 - p)
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p))
    const over =
      ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q + 4.374664141464968) * q +
      2.938163982698783
    return over / ((((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
  }
  const q = p - 0.5
  const r = q * q
  const over =
    (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r - 30.66479806614716) * r +
      2.506628277459239) *
    q
  const under =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r - 13.28068155288572) * r + 1
  return over / under
}

/** Student's t quantile for p above one half (Hill 1970, good to about 1e-4 from two degrees of freedom). */
export const studentQuantile = (p: number, freedom: number): number => {
  const df = Math.max(2.1, freedom)
  const tail = 2 * (1 - p)
  const a = 1 / (df - 0.5)
  const b = 48 / (a * a)
  let c = (((20700 * a) / b - 98) * a - 16) * a + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * df
  let y = (d * tail) ** (2 / df)
  if (y <= 0.05 + a) {
    y = ((1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)) * y - 1) * ((df + 1) / (df + 2)) + 1 / y
    return Math.sqrt(df * y)
  }
  const x = normalQuantile(tail * 0.5)
  y = x * x
  if (df < 5) c += 0.3 * (df - 4.5) * (x + 0.6)
  c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
  y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
  return Math.sqrt(df * Math.expm1(a * y * y))
}
