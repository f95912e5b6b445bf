import type { Answer, CallOptions, House, Instance } from './house.ts'

/** Calls like a browser: stores cookies and sends the header of the web app. */
export interface Browser {
  cookie: string | undefined
  /** The cookie of a device that has signed in before. */
  device: string | undefined
  call(method: string, path: string, options?: Omit<CallOptions, 'token'>): Promise<Answer>
}

export const aBrowser = (house: Pick<House | Instance, 'call'>): Browser => {
  const browser: Browser = {
    cookie: undefined,
    device: undefined,
    call: async (method, path, { headers = {}, body } = {}) => {
      const cookies = [browser.cookie, browser.device].filter((each) => each !== undefined)
      const own = { 'x-requested-with': 'tablinum', ...(cookies.length > 0 ? { cookie: ['theme=dark', ...cookies].join('; ') } : {}) }
      const answer = await house.call(method, path, { token: null, headers: { ...own, ...headers }, body })
      const given = [answer.headers['set-cookie'] ?? []].flat()
      const device = given.find((each) => each.includes('tablinum_device='))
      if (device) browser.device = device.split(';')[0]
      const [, pair, value] = /^([\w-]+=([^;]*))/.exec(given.find((each) => each !== device) ?? '') ?? []
      if (pair) browser.cookie = value ? pair : undefined
      return answer
    },
  }
  return browser
}

export const PASSWORD = 'a long sentence will do'

/** Signs in the admin of a new test app with a password. */
export const aSignedInAdmin = async (house: Pick<House, 'call' | 'token'>): Promise<Browser> => {
  const browser = aBrowser(house)
  const { status, text } = await browser.call('POST', '/auth/setup', { body: { code: house.token, password: PASSWORD } })
  if (status !== 201) throw new Error(text)
  return browser
}
