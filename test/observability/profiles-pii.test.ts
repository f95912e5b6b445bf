import { expect, test } from 'vitest'
import { detectPii, MIN_CONFIDENCE, splitIdentifier } from '../../src/observability/pii/detect-pii.ts'
import type { PiiClass } from '../../src/observability/pii/detectors.ts'
import { findNationalIds, luhn } from '../../src/observability/pii/national-ids.ts'

/** Repeatable pseudo-random numbers from 0 to 1. */
const random = (() => {
  let state = 42
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
})()
const below = (n: number) => Math.floor(random() * n)
const pick = <T>(all: readonly T[]): T => all[below(all.length)]!
const number = (length: number) => Array.from({ length }, () => below(10)).join('')
const many = (make: () => string, n = 200): string[] => Array.from({ length: n }, make)
/** Tries until it fits, to find numbers with a valid check digit. */
const until = (make: () => string, fits: (text: string) => boolean) => () => {
  for (;;) {
    const text = make()
    if (fits(text)) return text
  }
}

// biome-ignore format: one line a list reads better
const GIVEN = ['Anna', 'Peter', 'Maria', 'José', 'Claire', 'Mohammed', 'Yuki', 'Emma', 'Liam', 'Zofia', 'Piotr', 'Giulia', 'Lars', 'Priya', 'Thabo', 'Xerxes', 'Quirin']
// biome-ignore format: one line a list reads better
const FAMILY = ['Müller', 'Smith', "O'Brien", 'García', 'Rossi', 'Nowak', 'van Dijk', 'Tanaka', 'Okafor', 'Svensson', 'Dubois', 'Kowalska', 'Singh']
// biome-ignore format: one line a list reads better
const WORDS = ['blue', 'chair', 'table', 'lamp', 'fast', 'shipping', 'order', 'green', 'small', 'garden', 'north', 'office', 'set', 'premium', 'basic']
const HOSTS = ['example.com', 'mail.example.de', 'firma.co.uk', 'post.fr']
const person = () => `${pick(GIVEN)} ${pick(FAMILY).split(' ').at(-1)}`
const words = (n: number) => Array.from({ length: n }, () => pick(WORDS)).join(' ')
const title = (text: string) => text.replace(/\b\w/g, (letter) => letter.toUpperCase())
const day = (from: number, years: number) => new Date(Date.UTC(from + below(years), below(12), 1 + below(28))).toISOString().slice(0, 10)
const twoDigits = (n: number) => String(n).padStart(2, '0')
const isOf = (country: string) => (text: string) => findNationalIds(text).some((each) => each.country === country && !each.weak)
const mod97 = (text: string) => BigInt(text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n
const iban = () => {
  const [country, length] = pick([
    ['DE', 18],
    ['NL', 14],
    ['FR', 23],
    ['AT', 16],
  ] as const)
  const account = country === 'NL' ? `ABNA${number(10)}` : number(length)
  return `${country}${twoDigits(Number(98n - mod97(`${account}${country}00`)))}${account}`
}
const card = until(
  () => `${pick(['4', '51', '52', '37', '6011'])}${number(15)}`.slice(0, 16).slice(0, pick([16, 16, 15])),
  (text) => luhn(text) && suspectable(text),
)
const suspectable = (text: string) => (text.startsWith('37') ? text.length === 15 : text.length === 16)
const dmy = () => `${twoDigits(1 + below(28))}${twoDigits(1 + below(12))}${twoDigits(below(100))}`
const ymd = () => `${twoDigits(below(100))}${twoDigits(1 + below(12))}${twoDigits(1 + below(28))}`
const letter = (of = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') => pick([...of])

const IDS: Record<string, () => string> = {
  US: () => `${100 + below(500)}-${twoDigits(1 + below(99))}-${1000 + below(9000)}`,
  DE: until(() => `${1 + below(9)}${number(10)}`, isOf('DE')),
  FR: until(
    () => `${1 + below(2)}${number(2)}${twoDigits(1 + below(12))}${twoDigits(1 + below(95))}${number(6)}${twoDigits(1 + below(97))}`,
    isOf('FR'),
  ),
  ES: until(() => `${number(8)}${letter()}`, isOf('ES')),
  IT: until(
    () => `${many(letter, 6).join('')}${number(2)}${letter('ABCDEHLMPRST')}${twoDigits(1 + below(28))}${letter()}${number(3)}${letter()}`,
    isOf('IT'),
  ),
  NL: until(() => number(9), isOf('NL')),
  PL: until(() => `${ymd()}${number(5)}`, isOf('PL')),
  SE: until(() => `${ymd()}-${number(4)}`, isOf('SE')),
  FI: until(() => `${dmy()}-${number(3)}${letter('0123456789ABCDEFHJKLMNPRSTUVWXY')}`, isOf('FI')),
  NO: until(() => `${dmy()}${number(5)}`, isOf('NO')),
  BE: until(() => `${ymd()}${number(5)}`, isOf('BE')),
  PT: until(() => `2${number(8)}`, isOf('PT')),
  AT: until(() => `${1 + below(9)}${number(3)}${dmy()}`, isOf('AT')),
  CH: until(() => `756.${number(4)}.${number(4)}.${number(2)}`, isOf('CH')),
  GB: until(() => `${letter()}${letter()}${number(6)}${letter('ABCD')}`, isOf('GB')),
  CA: until(() => `${number(3)}-${number(3)}-${number(3)}`, isOf('CA')),
  BR: until(() => `${number(3)}.${number(3)}.${number(3)}-${number(2)}`, isOf('BR')),
  IN: until(() => `${number(4)} ${number(4)} ${number(4)}`, isOf('IN')),
  CN: until(() => `${number(6)}19${ymd()}${number(3)}${letter('0123456789X')}`, isOf('CN')),
}

/** Valid numbers published by their authorities. */
for (const [id, country] of [
  ['65929970489', 'DE'],
  ['2 55 08 14 168 025 38', 'FR'],
  ['12345678Z', 'ES'],
  ['X1234567L', 'ES'],
  ['RSSMRA85T10A562S', 'IT'],
  ['111222333', 'NL'],
  ['44051401359', 'PL'],
  ['811218-9876', 'SE'],
  ['131052-308T', 'FI'],
  ['756.9217.0769.85', 'CH'],
  ['046-454-286', 'CA'],
  ['529.982.247-25', 'BR'],
  ['2341 2341 2346', 'IN'],
  ['11010519491231002X', 'CN'],
  ['85.07.30-033.28', 'BE'],
  ['078-05-1120', 'US'],
] as const) {
  const wrong = id.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
  test(`${id} is a national ID of ${country}`, () => {
    const of = (text: string) => findNationalIds(text).map(({ country }) => country)
    expect(of(id)).toContain(country)
    if (!['US'].includes(country)) expect(of(wrong)).not.toContain(country)
  })
}

for (const [name, expected] of [
  ['customerEMail', 'customer e mail'],
  ['IPAddress', 'ip address'],
  ['Straße_1', 'straße 1'],
  ['PRÉNOM', 'prenom'],
] as const)
  test(`splits the name ${name}`, () => expect(splitIdentifier(name)).toBe(expected))

for (const [what, name, values, found] of [
  ['matching values with any name', 'c7', many(() => `${words(1)}${number(3)}@${pick(HOSTS)}`), 'email'],
  ['matching name without values', 'work_email', [], 'email'],
  ['matching name with other values', 'email', many(() => number(4)), undefined],
  ['a name about something else', 'email_count', many(() => number(1)), undefined],
  ['a few matches among many', 'remark', [...many(() => words(4), 190), ...many(() => `x${number(3)}@example.com`, 10)], undefined],
  [
    'a card number one digit off',
    'v',
    many(
      until(
        () => `4${number(15)}`,
        (text) => !luhn(text),
      ),
    ),
    undefined,
  ],
  ['an IBAN one digit off', 'v', many(() => iban().replace(/^(..)(..)/, '$100')), undefined],
  ['dates are not phone numbers', 'v', many(() => day(2020, 5)), undefined],
  ['versions are not IP addresses', 'app_version', many(() => `${below(9)}.${below(20)}.${below(30)}`), undefined],
  ['a date of birth', 'date_of_birth', many(() => day(1940, 60)), 'birth_date'],
  ['any other date', 'created_at', many(() => day(1990, 30)), undefined],
] as const)
  test(what, () => expect(detectPii(name, values as string[])?.class).toBe(found))

test('evidence never contains a value', () => {
  for (const [name, make] of Object.entries({
    a: () => `${pick(GIVEN)}.${number(4)}@example.com`,
    b: iban,
    c: card,
    first_name: () => pick(GIVEN),
    full_name: person,
    d: IDS.IT!,
    tel: () => `+49 ${number(9)}`,
  })) {
    const values = many(make)
    const reported = JSON.stringify(detectPii(name, values)?.evidence)
    expect(reported, name).toBeDefined()
    for (const value of values) if (value.length > 5) expect(reported).not.toContain(value)
  }
})

/** Typical columns, with helpful and unhelpful names, and lookalikes. */
const COLUMNS: readonly (readonly [name: string, make: () => string, is: PiiClass | undefined])[] = [
  ...['email', 'contact', 'c1', 'login', 'reply_to'].map(
    (name) =>
      [name, () => `${pick(GIVEN).toLowerCase().normalize('NFD').replace(/\W/g, '')}.${number(2)}@${pick(HOSTS)}`, 'email'] as const,
  ),
  ...['phone', 'tel_mobile', 'c2', 'hotline'].map(
    (name) =>
      [
        name,
        () =>
          pick([
            `+49 ${number(3)} ${number(7)}`,
            `+1 (${number(3)}) ${number(3)}-${number(4)}`,
            `0${1 + below(9)}${number(2)} ${number(7)}`,
          ]),
        'phone',
      ] as const,
  ),
  ['phone_number', () => `1${number(10)}`, 'phone'],
  ...['iban', 'account', 'c3'].map((name) => [name, iban, 'iban'] as const),
  ...['card_number', 'payment', 'c4'].map((name) => [name, card, 'card'] as const),
  ...Object.entries(IDS).flatMap(
    ([country, make]) =>
      [
        [`c_${country}`, make, 'national_id'],
        ['national_id', make, 'national_id'],
      ] as const,
  ),
  ['ssn', () => `${100 + below(500)}${twoDigits(1 + below(99))}${1000 + below(9000)}`, 'national_id'],
  ...['ip', 'client_ip', 'c5'].map((name) => [name, () => `${1 + below(223)}.${below(256)}.${below(256)}.${below(256)}`, 'ip'] as const),
  ['ip_address', () => `2001:db8:${below(65_536).toString(16)}::${below(65_536).toString(16)}`, 'ip'],
  ...['full_name', 'customer_name', 'c6', 'sold_by'].map((name) => [name, person, 'person_name'] as const),
  ...['first_name', 'vorname', 'givenName'].map((name) => [name, () => pick(GIVEN), 'person_name'] as const),
  ...['last_name', 'surname', 'Nachname'].map((name) => [name, () => pick(FAMILY), 'person_name'] as const),
  ...['birth_date', 'dob', 'geburtsdatum'].map((name) => [name, () => day(1940, 60), 'birth_date'] as const),
  ...['street', 'address_line1', 'shipping_address'].map(
    (name) => [name, () => `${title(words(1))}straße ${1 + below(200)}`, 'address'] as const,
  ),
  ...['id', 'order_id', 'user_id', 'phone_id'].map((name) => [name, () => String(1 + below(100_000)), undefined] as const),
  ...['amount', 'price', 'mobile_revenue'].map((name) => [name, () => `${below(1000)}.${number(2)}`, undefined] as const),
  ...['sku', 'ean', 'barcode'].map((name) => [name, () => number(13), undefined] as const),
  ...['order_number', 'invoice_no', 'reference', 'tracking'].map((name) => [name, () => number(9 + below(3)), undefined] as const),
  ...['product_name', 'title', 'name', 'category', 'company_name', 'file_name', 'host_name'].map(
    (name) => [name, () => title(words(2)), undefined] as const,
  ),
  ...['description', 'comment', 'body', 'email_body'].map((name) => [name, () => words(8), undefined] as const),
  ...['created_at', 'updated_at', 'shipped_on', 'email_sent_at'].map(
    (name) => [name, () => `${day(2020, 6)} ${twoDigits(below(24))}:${twoDigits(below(60))}:00`, undefined] as const,
  ),
  ...['city', 'country', 'status', 'phone_model', 'card_type', 'address_type'].map(
    (name) => [name, () => title(pick(WORDS)), undefined] as const,
  ),
  ...['uuid', 'session', 'wallet_address'].map(
    (name) => [name, () => `${number(8)}-${number(4)}-4${number(3)}-a${number(3)}-${number(12)}`, undefined] as const,
  ),
  ...['version', 'app_version'].map((name) => [name, () => `${below(9)}.${below(20)}.${below(30)}`, undefined] as const),
  ...['lat', 'longitude'].map((name) => [name, () => `${below(90)}.${number(6)}`, undefined] as const),
  ...['unix_time', 'epoch_ms'].map((name) => [name, () => `17${number(8)}`, undefined] as const),
  ...['url', 'website', 'mac_address'].map((name) => [name, () => `https://${pick(HOSTS)}/${pick(WORDS)}`, undefined] as const),
  ...['is_email_verified', 'has_phone'].map((name) => [name, () => pick(['true', 'false']), undefined] as const),
  ...['zip', 'postcode', 'year', 'quantity'].map((name) => [name, () => number(5), undefined] as const),
]

test('detects most personal data with few false positives', () => {
  let [right, wrong, missed] = [0, 0, 0]
  const reported: string[] = []
  for (let round = 0; round < 2; round += 1)
    for (const [name, make, is] of COLUMNS) {
      const found = detectPii(name, many(make, pick([20, 60, 200])))
      const detected = found && found.confidence >= MIN_CONFIDENCE ? found.class : undefined
      if (detected === is && is) right += 1
      if (detected && detected !== is) wrong += 1
      if (is && detected !== is) missed += 1
      if (detected !== is) reported.push(`${name}: ${is} was detected as ${detected} ${found?.confidence ?? ''}`)
    }
  const [precision, recall] = [right / (right + wrong), right / (right + missed)]
  expect({ precision, recall, reported: [...new Set(reported)].slice(0, 20) }).toMatchObject({
    precision: expect.toSatisfy((n: number) => n >= 0.97),
    recall: expect.toSatisfy((n: number) => n >= 0.97),
  })
})

test.each([
  ['durations', () => `${number(2)}:${number(2)}:${number(2)}`],
  ['ratios', () => `${below(9)}:${below(9)}:${below(9)}`],
  ['MAC addresses', () => Array.from({ length: 6 }, () => number(2)).join(':')],
])('%s are not IP addresses', (_, make) => {
  for (const name of ['took', 'c1']) expect(detectPii(name, many(make, 100))?.class).not.toBe('ip')
})
