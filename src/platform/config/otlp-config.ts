import { ConfigError, parseChoice, parseUrl } from './parse.ts'

/** The rest of its settings (`OTEL_…`) is read by the SDK itself. */
export interface OtlpConfig {
  readonly protocol: 'http/protobuf' | 'http/json'
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio']

/** Checks what the SDK would silently replace by its defaults. */
export const parseOtlpConfig = (env: NodeJS.ProcessEnv): OtlpConfig | undefined => {
  const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
  const endpoints = ENDPOINTS.map((name) => parseUrl(name, env[name], ['http:', 'https:']))
  if (!endpoints.some(Boolean) || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  if (env.OTEL_TRACES_SAMPLER) parseChoice('OTEL_TRACES_SAMPLER', env.OTEL_TRACES_SAMPLER, SAMPLERS)
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG ?? '1')
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}".`)
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf'
  return { protocol: parseChoice('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/protobuf', 'http/json'] as const) }
}
