import { isIPv6 } from 'node:net'
import { GIVEN_NAMES } from './given-names.ts'
import { findNationalIds, luhn } from './national-ids.ts'

/** The kinds of personal data and how they are detected. Pure. */
export const PII_CLASSES = ['email', 'phone', 'iban', 'card', 'national_id', 'ip', 'person_name', 'birth_date', 'address'] as const
export type PiiClass = (typeof PII_CLASSES)[number]

export interface Detector {
  readonly class: PiiClass
  /** Words in a column name that indicate it, and their confidence. */
  readonly named: RegExp
  readonly by_name: number
  /** Words that indicate something else. */
  readonly unless?: RegExp
  readonly matchesValue?: (value: string) => boolean
  /** Matches only if the column name indicates it too. */
  readonly matchesValueWeakly?: (value: string) => boolean
  /** Confidence if all values match. */
  readonly by_values: number
  readonly shape: (value: string) => string
}

const EMAIL = /^[^\s@"<>,;:()[\]\\]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}{2,24}$/u
const DATE = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})/
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}(?:/\\d{1,2})?$`)
const PREFIX_LENGTH = /\/\d{1,3}$/

const getDigits = (value: string): string => value.replace(/\D/g, '')

const isIban = (value: string): boolean => {
  const text = value.replace(/[ -]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(text)) return false
  const number = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(number) % 97n === 1n
}

const CARD =
  /^(4\d{12}(\d{3}){0,2}|5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11}|6(011|5\d\d|4[4-9]\d)\d{12}|35(2[89]|[3-8]\d)\d{12}|62\d{14,17}|(50|5[6-9]|6[37])\d{10,17})$/
const isCard = (value: string): boolean => /^\d[\d -]{10,22}\d$/.test(value) && CARD.test(getDigits(value)) && luhn(getDigits(value))

/** A plus makes it a phone number; with brackets and gaps it may be one; digits alone count only if the column name says so. */
const isPhone = (value: string): boolean => {
  const n = getDigits(value).length
  if (n < 7 || n > 15 || DATE.test(value) || IPV4.test(value)) return false
  if (/^(\+|00)[1-9][\d\s().\-/]{6,24}$/.test(value)) return n >= 8
  return /^(\(\d{2,5}\)[\s-]?|0\d{1,4}[\s/-])\d[\d\s-]{4,14}$/.test(value) || /^\(?[2-9]\d{2}\)?[\s.-][2-9]\d{2}[\s.-]\d{4}$/.test(value)
}

const isIp = (value: string): boolean => IPV4.test(value) || isIPv6(value.replace(PREFIX_LENGTH, ''))

const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u
const isPersonName = (value: string): boolean => {
  const words = value.replace(',', ' ').trim().split(/\s+/)
  if (words.length < 2 || words.length > 4 || !words.every((word) => NAME_WORD.test(word))) return false
  return words.some((word) => GIVEN_NAMES.has(word.toLowerCase()))
}
/** A single given or family name, if the column name indicates names. */
const isNamePart = (value: string): boolean =>
  value.length <= 40 && value.split(/\s+/).length <= 3 && /^[\p{L}][\p{L}\s'’.-]*$/u.test(value)

const isBirthDate = (value: string): boolean => {
  const year = Number(/\d{4}/.exec(DATE.exec(value)?.[0] ?? '')?.[0])
  return year >= 1900 && year <= 2100
}

const HOUSE_FIRST =
  /^\d+[a-z]?\s+\p{L}.*\b(st|street|ave|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|way|court|ct|place|pl|square|sq)\b/iu
const HOUSE_LAST = /(straße|strasse|str\.|weg|allee|platz|gasse|\brue\b|\bcalle\b|\bvia\b|\bulica\b|gatan|vej)[\p{L}\s.,]*\d+/iu
const isStreet = (value: string): boolean => HOUSE_FIRST.test(value) || HOUSE_LAST.test(value)

/** `Aa…`: letters and digits are replaced by their class, and long runs are shortened. */
const toPattern = (value: string): string =>
  value
    .slice(0, 40)
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d/g, '9')
    .replace(/[^\sAa9+().,/:@-]/gu, '?')

export const DETECTORS: readonly Detector[] = [
  {
    class: 'email',
    named: /\b(e ?mails?|mail|email address|mailadresse|correo|courriel)\b/,
    by_name: 0.8,
    unless:
      /\b(count|sent|opened|clicked|template|subject|body|status|type|verified|bounced|opt|id|ids|campaign|server|domain|enabled|num|number)\b/,
    matchesValue: (value) => EMAIL.test(value.replace(/^mailto:/i, '')),
    by_values: 0.98,
    shape: (value) => `${value[0]!.toLowerCase()}…@….${/[\p{L}]+$/u.exec(value)?.[0]?.toLowerCase() ?? ''}`,
  },
  {
    class: 'iban',
    named: /\b(iban|bank account|account iban|kontonummer)\b/,
    by_name: 0.75,
    matchesValue: isIban,
    by_values: 0.99,
    shape: (value) => `${value.slice(0, 2).toUpperCase()}99…`,
  },
  {
    class: 'card',
    named: /\b(credit card|card number|card no|cc number|ccnum|pan|creditcard|cardnumber|kreditkarte|card num)\b/,
    by_name: 0.7,
    unless: /\b(type|brand|id|last|expiry|status|count)\b/,
    matchesValue: isCard,
    by_values: 0.97,
    shape: (value) => toPattern(value),
  },
  {
    class: 'national_id',
    named:
      /\b(ssn|social security( number| no)?|national id|tax id|tin|nino|national insurance( number)?|steuer ?id|steuernummer|sozialversicherungsnummer|nir|dni|nie|codice fiscale|fiscal code|bsn|pesel|personnummer|personal number|hetu|fodselsnummer|cpr|rijksregisternummer|nif|cpf|ahv|aadhaar|passport( number| no)?|identity card|id card|driver s? ?licen[cs]e)\b/,
    by_name: 0.75,
    matchesValue: (value) => findNationalIds(value).some(({ weak }) => !weak),
    matchesValueWeakly: (value) => findNationalIds(value).length > 0,
    by_values: 0.93,
    shape: toPattern,
  },
  {
    class: 'phone',
    named:
      /\b(phone|phones|telephone|tel|mobile|cell|cellphone|fax|telefon|handy|mobil|telefono|telephone number|msisdn|phone number|whatsapp)\b/,
    by_name: 0.75,
    unless: /\b(model|type|brand|count|plan|os|verified|id|device|app|version|status|is|has|category)\b/,
    matchesValue: isPhone,
    matchesValueWeakly: (value) => /^[+\d][\d\s().\-/]{5,22}$/.test(value) && getDigits(value).length >= 7 && getDigits(value).length <= 15,
    by_values: 0.9,
    shape: toPattern,
  },
  {
    class: 'ip',
    named: /\b(ip|ips|ip addr|ip address|ipaddress|ipv4|ipv6|client ip|remote addr|remote ip)\b/,
    by_name: 0.7,
    unless: /\b(version|count|zip|ship|is|has)\b/,
    matchesValue: isIp,
    by_values: 0.9,
    shape: (value) => (value.includes(':') ? 'ff:…' : '9.9.9.9'),
  },
  {
    class: 'person_name',
    named:
      /\b(first ?name|last ?name|given ?name|family ?name|sur ?name|full ?name|middle ?name|maiden ?name|fname|lname|vorname|nachname|familienname|prenom|nom de famille|apellidos?|cognome|imie|nazwisko|(customer|client|contact|employee|person|patient|user|owner|author|member|holder|recipient|passenger|guest|student|manager|agent) name)\b/,
    by_name: 0.75,
    unless: /\b(id|count|length|file|host|table|type|company|group|role)\b/,
    matchesValue: isPersonName,
    matchesValueWeakly: isNamePart,
    by_values: 0.85,
    shape: (value) =>
      value
        .trim()
        .split(/\s+/)
        .map(() => 'A…')
        .join(' '),
  },
  {
    class: 'birth_date',
    named: /\b(birth ?da(te|y)|date of birth|dob|geburtsdatum|geburtstag|fecha de nacimiento|date de naissance|birthdate|born( on| at)?)\b/,
    by_name: 0.8,
    matchesValueWeakly: isBirthDate,
    by_values: 0,
    shape: toPattern,
  },
  {
    class: 'address',
    named:
      /\b(street|street ?address|address ?(line ?)?[123]?|home address|postal address|shipping address|billing address|strasse|anschrift|adresse|direccion|domicilio)\b/,
    by_name: 0.6,
    unless: /\b(e ?mail|ip|ips|mac|web|url|wallet|id|type|count|contract|memory|bus|hash)\b/,
    matchesValue: isStreet,
    by_values: 0.75,
    shape: toPattern,
  },
]
