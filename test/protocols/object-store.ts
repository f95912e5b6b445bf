import { createHash, createHmac } from 'node:crypto'
import { type CannedResponse, createLoopbackServer, type LoopbackServer, type RecordedRequest } from './loopback.ts'

/** An object store on loopback: lists and ranges as the public references describe them, and faults on demand. */
interface ObjectStore extends LoopbackServer {
  readonly objects: Map<string, Buffer>
}

interface ObjectStoreOptions {
  readonly pageSize?: number
  /** A response in place of the proper one. */
  readonly intercept?: (request: RecordedRequest) => CannedResponse | undefined
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const MODIFIED = new Date(1_775_000_000_000)

interface Listed {
  readonly folders: string[]
  readonly files: string[]
  readonly next: string | undefined
}

/** Names directly below the prefix, in order, one page of them. */
const listPage = (names: Iterable<string>, prefix: string, after: string, pageSize: number): Listed => {
  const below = [...new Set([...names].flatMap((name) => (name.startsWith(prefix) ? toChild(name, prefix) : [])))].sort()
  const rest = below.filter((name) => name > after)
  const page = rest.slice(0, pageSize)
  return {
    folders: page.filter((name) => name.endsWith('/')),
    files: page.filter((name) => !name.endsWith('/')),
    next: rest.length > pageSize ? page.at(-1) : undefined,
  }
}

const toChild = (name: string, prefix: string): string => {
  const end = name.indexOf('/', prefix.length)
  return end < 0 ? name : name.slice(0, end + 1)
}

const readRange = (object: Buffer | undefined, range = ''): CannedResponse => {
  if (!object) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  if (start === undefined) return { body: object }
  if (Number(start) >= object.length) return { status: 416, body: '<Error><Code>InvalidRange</Code></Error>' }
  return { status: 206, body: object.subarray(Number(start), Number(end) + 1) }
}

/** The bucket `lake` with the API of S3; with a secret it checks signatures of version 4. */
export const createS3Store = async (
  objects: Map<string, Buffer>,
  { pageSize = 1000, intercept, secret }: ObjectStoreOptions & { readonly secret?: string } = {},
): Promise<ObjectStore> => {
  const list = ({ query }: RecordedRequest): CannedResponse => {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const { folders, files, next } = listPage(objects.keys(), prefix, after, pageSize)
    const encode = (name: string) => escapeXml(encodeURIComponent(name))
    return {
      body: `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>lake</Name>
        <EncodingType>url</EncodingType><Prefix>${encode(prefix)}</Prefix><IsTruncated>${next !== undefined}</IsTruncated>
        ${next === undefined ? '' : `<NextContinuationToken>${escapeXml(next)}</NextContinuationToken>`}
        ${files.map((name) => `<Contents><Key>${encode(name)}</Key><LastModified>${MODIFIED.toISOString()}</LastModified><Size>${objects.get(name)!.length}</Size></Contents>`).join('')}
        ${folders.map((name) => `<CommonPrefixes><Prefix>${encode(name)}</Prefix></CommonPrefixes>`).join('')}</ListBucketResult>`,
    }
  }
  const server = await createLoopbackServer((request) => {
    const replaced = intercept?.(request)
    if (replaced) return replaced
    if (secret !== undefined && !isSignedV4(request, secret))
      return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' }
    const [, bucket, ...key] = request.path.split('/').map(decodeURIComponent)
    if (bucket !== 'lake') return { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }
    return key.length === 0 ? list(request) : readRange(objects.get(key.join('/')), request.headers.range)
  })
  return Object.assign(server, { objects })
}

/** As the reference of AWS describes it, from what arrived. */
const isSignedV4 = ({ path, query, headers }: RecordedRequest, secret: string): boolean => {
  const pattern = /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/
  const [, date = '', region = '', names = '', signature = ''] = pattern.exec(headers.authorization ?? '') ?? []
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonical = [
    'GET',
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    [...query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${date}/${region}/s3/aws4_request`, hash].join('\n')
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature
}

/** The container `lake` of Azure Blob Storage, which checks the signature of the request as it arrived. */
export const createAzureStore = async (
  objects: Map<string, Buffer>,
  { account, key }: { readonly account: string; readonly key: string },
  { pageSize = 5000, intercept }: ObjectStoreOptions = {},
): Promise<ObjectStore> => {
  const list = ({ query }: RecordedRequest): CannedResponse => {
    const { folders, files, next } = listPage(objects.keys(), query.get('prefix') ?? '', query.get('marker') ?? '', pageSize)
    const blob = (
      name: string,
    ) => `<Blob><Name>${escapeXml(name)}</Name><Properties><Last-Modified>${MODIFIED.toUTCString()}</Last-Modified>
      <Content-Length>${objects.get(name)!.length}</Content-Length></Properties></Blob>`
    return {
      body: `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="lake"><Blobs>${files.map(blob).join('')}
        ${folders.map((name) => `<BlobPrefix><Name Encoded="true">${encodeURIComponent(name)}</Name></BlobPrefix>`).join('')}</Blobs>
        <NextMarker>${escapeXml(next ?? '')}</NextMarker></EnumerationResults>`,
    }
  }
  const server = await createLoopbackServer((request) => {
    const replaced = intercept?.(request)
    if (replaced) return replaced
    if (!isSigned(request, account, key) && request.query.get('sig') !== 'of-the-token')
      return { status: 403, body: '<Error><Code>AuthenticationFailed</Code></Error>' }
    const [, container, ...name] = request.path.split('/').map(decodeURIComponent)
    if (container !== 'lake') return { status: 404, body: '<Error><Code>ContainerNotFound</Code></Error>' }
    return name.length === 0 ? list(request) : readRange(objects.get(name.join('/')), String(request.headers['x-ms-range']))
  })
  return Object.assign(server, { objects })
}

const isSigned = ({ path, query, headers }: RecordedRequest, account: string, key: string): boolean => {
  const canonical = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${headers[name]}\n`)
  const parameters = [...query.keys()].sort().map((name) => `\n${name}:${query.get(name)}`)
  const text = `GET\n\n\n\n\n\n\n\n\n\n\n\n${canonical.join('')}/${account}${path}${parameters.join('')}`
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
  return headers.authorization === `SharedKey ${account}:${signature}`
}
