import { BlockList, isIP } from 'node:net'
import { type Translatable, translatable } from '../core/translatable.ts'

/**
 * Which addresses may be requested if a user chose them: webhooks and files to fetch. This server may be inside a private network the user
 * has no access to, so only the public internet and explicitly allowed hosts are permitted (SSRF protection). Pure.
 */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local; cloud metadata services
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** The public IPv6 internet is 2000::/3. Loopback, link-local, unique-local, multicast and embedded IPv4 (::ffff:, 64:ff9b::) are outside of it. */
const PUBLIC_IPV6: readonly [string, number] = ['2000::', 3]
const RESERVED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // Teredo and other special purposes
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: embeds any IPv4 address
  ['3fff::', 20],
]

const toBlockList = (subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return list
}
const privateIpv4 = toBlockList(PRIVATE_IPV4, 'ipv4')
const publicIpv6 = toBlockList([PUBLIC_IPV6], 'ipv6')
const reservedIpv6 = toBlockList(RESERVED_IPV6, 'ipv6')

/** What a setting (`TABLINUM_WEBHOOK_ALLOW`, `TABLINUM_SOURCE_ALLOW`) allows besides the public internet. */
export interface AddressAllowlist {
  has(host: string, address?: string): boolean
}

/** Hosts (`hooks.internal`), addresses (`10.0.0.7`) and networks (`10.1.0.0/16`). */
export const parseAllowlist = (entries: readonly string[]): AddressAllowlist => {
  const hosts = new Set<string>()
  const nets = new BlockList()
  for (const entry of entries) {
    const [net = '', prefix] = entry.split('/')
    const version = isIP(net)
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (version === 0) hosts.add(entry.toLowerCase())
    else if (prefix === undefined) nets.addAddress(net, family)
    else nets.addSubnet(net, Number(prefix), family)
  }
  return {
    has: (host, address = host) => {
      const version = isIP(address)
      return hosts.has(host.toLowerCase()) || (version !== 0 && nets.check(address, version === 6 ? 'ipv6' : 'ipv4'))
    },
  }
}

const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return !privateIpv4.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && publicIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6')
}

/** Whether this host may be connected to at this address. */
export const isAddressAllowed = (host: string, address: string, allowed: AddressAllowlist): boolean =>
  allowed.has(host, address) || isPublicAddress(address)

/** The host of a URL for DNS and sockets: IPv6 without brackets, no trailing dot. */
export const getHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const LOCAL_HOSTS = /^localhost$|\.localhost$|\.local$|\.internal$/i

/** The problem with a URL that can be found without DNS, or undefined. The resolved address is checked on connection. */
export const findAddressProblem = (text: string, allowed: AddressAllowlist): Translatable | undefined => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return translatable('must be a URL that starts with https:// or http://.')
  if (url.username || url.password) return translatable('must not contain a user name or password. Verify the signature instead.')
  const host = getHost(url)
  if (host === '') return translatable('has no host.')
  if (allowed.has(host)) return undefined
  if (isIP(host) !== 0 ? !isPublicAddress(host) : LOCAL_HOSTS.test(host))
    return translatable('is not allowed: {host} is not on the public internet. An operator can allow it with TABLINUM_WEBHOOK_ALLOW.', {
      host,
    })
  return undefined
}
