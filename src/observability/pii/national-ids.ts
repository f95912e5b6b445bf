/** National identification numbers: their formats and check digits. Pure. */
export interface NationalId {
  readonly country: string
  readonly name: string
  /** Its written form, without surrounding blanks. */
  readonly written: RegExp
  /** Checks its letters and digits in upper case. */
  readonly check?: (id: string) => boolean
  /** Too unspecific on its own: matches only if the column name indicates it. */
  readonly weak?: true
}

const digits = (id: string): number[] => [...id].map(Number)
const weighted = (id: string, weights: readonly number[]): number => weights.reduce((sum, weight, i) => sum + weight * Number(id[i]), 0)

export const luhn = (id: string): boolean => {
  const sum = digits(id)
    .reverse()
    .reduce((sum, digit, i) => sum + (i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0)
  return sum % 10 === 0
}

/** Whether month and day can be valid. */
const isDay = (day: string, month: string): boolean => Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12

/** ISO 7064, mod 11, 10. */
const mod11_10 = (id: string): boolean => {
  let product = 10
  for (const digit of digits(id.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(id.at(-1))
}

/** A German tax ID: one of its first ten digits occurs two or three times, the others at most once. */
const isTaxId = (id: string): boolean => {
  const counts = [...Map.groupBy(id.slice(0, 10), (digit) => digit).values()].map(({ length }) => length).filter((n) => n > 1)
  return id[0] !== '0' && counts.length === 1 && counts[0]! <= 3 && mod11_10(id)
}

const DNI = 'TRWAGMYFPDXBNJZSQVHLCKE'
const isDni = (id: string): boolean => {
  const number = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return DNI[Number(number) % 23] === id.at(-1)
}

const isNir = (id: string): boolean => {
  const number = id.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return 97n - (BigInt(number) % 97n) === BigInt(id.slice(13))
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const isFiscalCode = (id: string): boolean => {
  const sum = [...id.slice(0, 15)].reduce((sum, character, i) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    return sum + (i % 2 === 0 ? ODD[value]! : value)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === id.at(-1)
}

const HETU = '0123456789ABCDEFHJKLMNPRSTUVWXY'
const isHetu = (id: string): boolean => {
  const [, day = '', month = '', year = '', number = '', check] = /^(\d\d)(\d\d)(\d\d)[A-Y]?(\d{3})(\w)$/.exec(id) ?? []
  return isDay(day, month) && HETU[Number(day + month + year + number) % 31] === check
}

const isBirthNumber = (id: string): boolean => {
  const one = (11 - (weighted(id, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
  const two = (11 - (weighted(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return isDay(id.slice(0, 2), id.slice(2, 4)) && one === Number(id[9]) && two === Number(id[10])
}

const isBelgian = (id: string): boolean => {
  const number = BigInt(id.slice(0, 9))
  const check = BigInt(id.slice(9))
  return [number, number + 2_000_000_000n].some((each) => 97n - (each % 97n) === check)
}

const isNif = (id: string): boolean => {
  const rest = weighted(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (rest < 2 ? 0 : 11 - rest) === Number(id[8])
}

const isCpf = (id: string): boolean => {
  if (/^(\d)\1+$/.test(id)) return false
  const check = (length: number) => {
    const rest =
      (weighted(
        id,
        Array.from({ length }, (_, i) => length + 1 - i),
      ) *
        10) %
      11
    return rest % 10 === Number(id[length])
  }
  return check(9) && check(10)
}

const isPesel = (id: string): boolean => {
  const month = String(Number(id.slice(2, 4)) % 20).padStart(2, '0')
  return isDay(id.slice(4, 6), month) && (10 - (weighted(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(id[10])
}

const isSwedish = (id: string): boolean => {
  const short = id.slice(-10)
  const day = String(Number(short.slice(4, 6)) % 60).padStart(2, '0')
  return isDay(day, short.slice(2, 4)) && luhn(short)
}

const isAustrian = (id: string): boolean => {
  const rest =
    (weighted(id, [3, 7, 9]) +
      5 * Number(id[4]) +
      8 * Number(id[5]) +
      4 * Number(id[6]) +
      2 * Number(id[7]) +
      Number(id[8]) +
      6 * Number(id[9])) %
    11
  return isDay(id.slice(4, 6), id.slice(6, 8)) && rest === Number(id[3])
}

const isAhv = (id: string): boolean => (10 - (weighted(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(id[12])

const isBsn = (id: string): boolean => {
  const sum = weighted(id, [9, 8, 7, 6, 5, 4, 3, 2]) - Number(id[8])
  return sum % 11 === 0 && !/^0+$/.test(id)
}

const isChinese = (id: string): boolean => {
  const sum = weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  return isDay(id.slice(12, 14), id.slice(10, 12)) && '10X98765432'[sum % 11] === id[17]
}

const VERHOEFF = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
]
const PERMUTED = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
]
const isAadhaar = (id: string): boolean =>
  digits(id)
    .reverse()
    .reduce((check, digit, i) => VERHOEFF[check]![PERMUTED[i % 8]![digit]!]!, 0) === 0

const NATIONAL_IDS: readonly NationalId[] = [
  { country: 'US', name: 'social security number', written: /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/ },
  { country: 'US', name: 'social security number', written: /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/, weak: true },
  { country: 'DE', name: 'tax ID', written: /^\d{2} ?\d{3} ?\d{3} ?\d{3}$/, check: isTaxId },
  { country: 'FR', name: 'NIR', written: /^[12] ?\d\d ?\d\d ?(\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d$/i, check: isNir },
  { country: 'ES', name: 'DNI', written: /^([XYZ]-?\d{7}|\d{8})-?[A-Z]$/i, check: isDni },
  { country: 'IT', name: 'fiscal code', written: /^[A-Z]{6}\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z]$/i, check: isFiscalCode },
  { country: 'NL', name: 'BSN', written: /^\d{9}$/, check: isBsn },
  { country: 'PL', name: 'PESEL', written: /^\d{11}$/, check: isPesel },
  { country: 'SE', name: 'personal number', written: /^(19|20)?\d{6}[-+]?\d{4}$/, check: isSwedish },
  { country: 'FI', name: 'personal code', written: /^\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]$/i, check: isHetu },
  { country: 'NO', name: 'birth number', written: /^\d{6} ?\d{5}$/, check: isBirthNumber },
  { country: 'DK', name: 'CPR number', written: /^\d{6}-\d{4}$/, check: (id) => isDay(id.slice(0, 2), id.slice(2, 4)) },
  { country: 'BE', name: 'national number', written: /^\d\d\.?\d\d\.?\d\d-?\d{3}\.?\d\d$/, check: isBelgian },
  { country: 'PT', name: 'NIF', written: /^[1-35689]\d{8}$/, check: isNif },
  { country: 'AT', name: 'social insurance number', written: /^[1-9]\d{3} ?\d{6}$/, check: isAustrian },
  { country: 'CH', name: 'AHV number', written: /^756\.?\d{4}\.?\d{4}\.?\d\d$/, check: isAhv },
  {
    country: 'GB',
    name: 'national insurance number',
    written: /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]$/i,
  },
  { country: 'CA', name: 'social insurance number', written: /^[0-79]\d{2}[ -]?\d{3}[ -]?\d{3}$/, check: luhn },
  { country: 'BR', name: 'CPF', written: /^\d{3}\.?\d{3}\.?\d{3}-?\d\d$/, check: isCpf },
  { country: 'IN', name: 'Aadhaar', written: /^[2-9]\d{3} ?\d{4} ?\d{4}$/, check: isAadhaar },
  { country: 'CN', name: 'resident ID', written: /^\d{6}(18|19|20)\d{9}[\dX]$/i, check: isChinese },
]

/** The matching formats; a number of digits only can match several. */
export const findNationalIds = (text: string): NationalId[] =>
  NATIONAL_IDS.filter(({ written, check }) => written.test(text) && (!check || check(text.replace(/[^0-9A-Za-z]/g, '').toUpperCase())))
