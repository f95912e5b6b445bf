import type { CallOptions, TestApp, TestInstance, TestResponse } from './test-app.ts'

/** Calls like a browser: stores cookies and sends the header of the web app. */
export interface BrowserSession {
  cookie: string | undefined
  /** The cookie of a device that has signed in before. */
  device: string | undefined
  call(method: string, path: string, options?: Omit<CallOptions, 'token'>): Promise<TestResponse>
}

export const createBrowserSession = (app: Pick<TestApp | TestInstance, 'call'>): BrowserSession => {
  const browser: BrowserSession = {
    cookie: undefined,
    device: undefined,
    call: async (method, path, { headers = {}, body } = {}) => {
      const cookies = [browser.cookie, browser.device].filter((each) => each !== undefined)
      const own = { 'x-requested-with': 'tablinum', ...(cookies.length > 0 ? { cookie: ['theme=dark', ...cookies].join('; ') } : {}) }
      const response = await app.call(method, path, { token: null, headers: { ...own, ...headers }, body })
      const setCookies = [response.headers['set-cookie'] ?? []].flat()
      const device = setCookies.find((each) => each.includes('tablinum_device='))
      if (device) browser.device = device.split(';')[0]
      const [, pair, value] = /^([\w-]+=([^;]*))/.exec(setCookies.find((each) => each !== device) ?? '') ?? []
      if (pair) browser.cookie = value ? pair : undefined
      return response
    },
  }
  return browser
}

export const PASSWORD = 'a long sentence will do'

/** Signs in the admin of a new test app with a password. */
export const signInAdmin = async (app: Pick<TestApp, 'call' | 'token'>): Promise<BrowserSession> => {
  const browser = createBrowserSession(app)
  const { status, text } = await browser.call('POST', '/auth/setup', { body: { code: app.token, password: PASSWORD } })
  if (status !== 201) throw new Error(text)
  return browser
}
