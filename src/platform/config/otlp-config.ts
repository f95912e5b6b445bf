import { ConfigError, parseChoice, parseInteger, parseUrl } from './parse.ts'

/** Traces. The address and everything about the connection (`OTEL_EXPORTER_OTLP_…`) is read by the exporter itself. */
export interface OtlpConfig {
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly sampler: (typeof SAMPLERS)[number]
  /** The share of traces that a sampler with `traceidratio` records. */
  readonly ratio: number
  /** Unset: the defaults of the SDK. */
  readonly batches: {
    readonly maxQueueSize?: number
    readonly maxExportBatchSize?: number
    readonly scheduledDelayMillis?: number
    readonly exportTimeoutMillis?: number
  }
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const parseOtlpConfig = (env: NodeJS.ProcessEnv): OtlpConfig | undefined => {
  const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
  const endpoints = ENDPOINTS.map((name) => parseUrl(name, env[name], ['http:', 'https:']))
  if (!endpoints.some(Boolean) || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf'
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG ?? '1')
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}".`)
  const parseLimit = (name: string) => (env[name] === undefined ? undefined : parseInteger(name, env[name], 1, 3_600_000))
  return {
    protocol: parseChoice('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/protobuf', 'http/json']),
    sampler: parseChoice('OTEL_TRACES_SAMPLER', env.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on', SAMPLERS),
    ratio,
    batches: {
      maxQueueSize: parseLimit('OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: parseLimit('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
      scheduledDelayMillis: parseLimit('OTEL_BSP_SCHEDULE_DELAY'),
      exportTimeoutMillis: parseLimit('OTEL_BSP_EXPORT_TIMEOUT'),
    },
  }
}
