import { sql } from 'kysely'
import type { Configuration } from 'openid-client'
import type { OidcConfig } from '../../platform/config/config.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { recordActivity } from '../../platform/history/record.ts'
import type { createSafeFetch } from '../../platform/outbound/safe-fetch.ts'

/** Signing in with an identity provider (OpenID Connect: authorization code, PKCE, state and nonce). */

/** State stored in a browser cookie during the redirect to the provider. */
export interface LoginState {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly return_to: string
}

export type OidcProblem = 'oidc_failed' | 'oidc_unknown_user' | 'oidc_unverified_email' | 'oidc_disabled'

export class OidcSignInError extends Error {
  readonly problem: OidcProblem

  constructor(problem: OidcProblem, why: string) {
    super(why)
    this.problem = problem
  }
}

/** Loaded on first use: most workspaces have no identity provider. */
export const loadClient = () => import('openid-client')

export class OidcClient {
  readonly #config: OidcConfig
  readonly #fetch: SafeFetch | undefined
  #discovered?: { at: number; configuration: Promise<Configuration> }

  /** With `fetch` if an admin chose the address of the provider. */
  constructor(config: OidcConfig, fetch?: SafeFetch) {
    this.#config = config
    this.#fetch = fetch
  }

  /** The URL to redirect the browser to, and the login state for its cookie. */
  async startLogin(callback: string, return_to: string): Promise<{ url: string; loginState: LoginState }> {
    const client = await loadClient()
    const verifier = client.randomPKCECodeVerifier()
    const loginState = { state: client.randomState(), nonce: client.randomNonce(), verifier, return_to }
    const url = client.buildAuthorizationUrl(await this.discover(), {
      redirect_uri: callback,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: loginState.state,
      nonce: loginState.nonce,
    })
    return { url: url.href, loginState }
  }

  /** The claims of the user. The library checks signature, issuer, audience, times, state and nonce. */
  async finishLogin(address: URL, { state, nonce, verifier }: LoginState): Promise<Claims> {
    const client = await loadClient()
    const configuration = await this.discover()
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(configuration, address, checks)
    const claims = tokens.claims()!
    const more =
      claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => ({})) : {}
    return { ...more, ...claims } as Claims
  }

  /** Cached for an hour, because providers rotate keys and change URLs; a failure is not cached. */
  discover(): Promise<Configuration> {
    if (this.#discovered && performance.now() - this.#discovered.at < DISCOVERY_CACHE_MS) return this.#discovered.configuration
    const { issuer, clientId, clientSecret } = this.#config
    const configuration = loadClient().then((client) =>
      client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: 10,
        ...(this.#fetch && { [client.customFetch]: this.#fetch }),
        // By default the library relies on TLS and does not check signatures of tokens it receives directly.
        // http is possible only for loopback addresses and hosts that an operator allowed.
        execute: [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])],
      }),
    )
    configuration.catch(() => {
      this.#discovered = undefined
    })
    this.#discovered = { at: performance.now(), configuration }
    return configuration
  }
}

type SafeFetch = ReturnType<typeof createSafeFetch>

const DISCOVERY_CACHE_MS = 3_600_000

export interface Claims {
  readonly iss: string
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly given_name?: string
  readonly family_name?: string
  readonly name?: string
}

/**
 * Finds the user for these claims. A linked user is found by the provider's subject ID; the first time by e-mail address, which must be
 * verified: otherwise anyone who can enter an address at the provider could sign in as any user.
 */
export const findOrLinkUser = (ctx: Context, claims: Claims, config: OidcConfig): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    // The domain of an address with several @ is ambiguous.
    const [email, domain = ''] = /^[^@\s]+@([^@\s]+)$/.exec(claims.email?.trim().toLowerCase() ?? '') ?? []
    if (config.domains.length > 0 && !config.domains.includes(domain))
      throw new OidcSignInError('oidc_unknown_user', `E-mail addresses at ${domain || 'no domain'} are not allowed.`)
    const linked = await ctx.db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .select(['users.id', 'users.disabled_at', 'users.deleted_at'])
      .where('issuer', '=', claims.iss)
      .where('subject', '=', claims.sub)
      .executeTakeFirst()
    if (linked && !linked.deleted_at) return assertActive(linked)
    if (!email || (claims.email_verified !== true && !config.trustEmails))
      throw new OidcSignInError('oidc_unverified_email', 'The identity provider does not report the e-mail address as verified.')
    const existing = await ctx.db
      .selectFrom('users')
      .select(['id', 'disabled_at'])
      .where(sql<boolean>`lower(email) = ${email}`)
      .orderBy(sql`deleted_at is not null`) // an active user first: the address may have been invited again after a deletion
      .executeTakeFirst()
    const user_id = existing ? assertActive(existing) : await createProvisionedUser(ctx, email, claims, config)
    await ctx.db
      .insertInto('identities')
      .values({ issuer: claims.iss, subject: claims.sub, user_id, created_at: ctx.now })
      .onConflict((c) => c.columns(['issuer', 'subject']).doUpdateSet({ user_id, created_at: ctx.now }))
      .execute()
    return user_id
  })

const assertActive = ({ id, disabled_at }: { id: string; disabled_at: string | null }): string => {
  if (disabled_at !== null) throw new OidcSignInError('oidc_disabled', 'This user is disabled.')
  return id
}

/** Creates a new user, if OIDC_ROLE is set. */
const createProvisionedUser = async (ctx: Context, email: string, claims: Claims, { role }: OidcConfig): Promise<string> => {
  if (!role) throw new OidcSignInError('oidc_unknown_user', 'There is no user with this e-mail address.')
  const id = newId()
  const short = (text: string | undefined) => text?.trim().slice(0, 100) || null
  const [first_name, last_name] = [short(claims.given_name ?? claims.name), short(claims.family_name)]
  await ctx.db.insertInto('users').values({ id, email, role, first_name, last_name, created_at: ctx.now, updated_at: ctx.now }).execute()
  await recordActivity(ctx, {
    activity_type: 'user_created',
    resource_id: id,
    resource_type: 'user',
    resource_title: [first_name, last_name].filter(Boolean).join(' ') || email,
    changes: [
      { field: 'email', from: null, to: email },
      { field: 'role', from: null, to: role },
    ],
  })
  return id
}
