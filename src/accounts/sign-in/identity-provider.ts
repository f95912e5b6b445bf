import type { Context } from '../../platform/context/context.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import { parseAllowlist } from '../../platform/outbound/address-policy.ts'
import { createSafeFetch } from '../../platform/outbound/safe-fetch.ts'
import type { IdentityProvider } from '../../platform/server-settings/services.ts'
import { loadClient, OidcClient } from './oidc.ts'

export interface IdentityProviderClient {
  readonly config: IdentityProvider
  readonly client: OidcClient
}

export const createOidcClient = ({ runtime }: Pick<Context, 'runtime'>, config: IdentityProvider): IdentityProviderClient => ({
  config,
  client: new OidcClient(config, config.checked ? createSafeFetch(parseAllowlist(runtime.webhookAllow)) : undefined),
})

/** What is wrong with an identity provider, found without signing anyone in: its metadata, its keys, and whether it knows the client. */
export const findProviderProblem = async (
  ctx: Context,
  config: IdentityProvider,
  redirect_uri: string,
): Promise<Translatable | undefined> => {
  const client = await loadClient()
  let configuration: Awaited<ReturnType<OidcClient['discover']>>
  try {
    configuration = await createOidcClient(ctx, config).client.discover()
  } catch (error) {
    return translatable('The metadata of the provider could not be read. Check the issuer. {answer}', { answer: describe(error) })
  }
  const { authorization_endpoint, token_endpoint, jwks_uri, response_types_supported = ['code'] } = configuration.serverMetadata()
  if (!authorization_endpoint || !token_endpoint || !jwks_uri)
    return translatable('The metadata of the provider lacks the address of its authorization, token or key endpoint.')
  if (!response_types_supported.includes('code')) return translatable('The provider does not support the authorization code flow.')
  try {
    // No one has this code: the provider rejects either it, or the client before it looks at the code.
    const made_up = { code: 'test-of-the-client', redirect_uri, code_verifier: client.randomPKCECodeVerifier() }
    await client.genericGrantRequest(configuration, 'authorization_code', made_up)
  } catch (error) {
    return describeRejection(error as RejectedGrant)
  }
  return undefined
}

interface RejectedGrant extends Error {
  /** The error code of OAuth, if the provider answered with one. */
  readonly error?: string
  readonly error_description?: string
  readonly status?: number
}

const describeRejection = (rejection: RejectedGrant): Translatable | undefined => {
  const { error, status } = rejection
  if (error === 'invalid_grant') return undefined
  if (error === 'invalid_client' || error === 'unauthorized_client' || status === 401)
    return translatable('The provider does not accept the client ID or the client secret. {answer}', { answer: describe(rejection) })
  return translatable('The provider answered the test with an unexpected error. {answer}', { answer: describe(rejection) })
}

const MAX_ANSWER = 300

const describe = (error: unknown): string => {
  const { error: code, error_description, message, cause } = error as RejectedGrant & { cause?: { message?: string } }
  const answer = code ? [code, error_description].filter(Boolean).join(': ') : (cause?.message ?? message)
  return answer.slice(0, MAX_ANSWER)
}
