import { BlockList, isIP } from 'node:net'

/**
 * Which addresses may be reached when somebody else chose them: those of webhooks, and of files to fetch. This server stands inside a network
 * that whoever chose the address may not: so only the open internet is allowed, and what was named at the start. Pure.
 */
const INSIDE_4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local; the metadata of clouds
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
/** The open internet is 2000::/3. Loopback, link-local, unique-local, multicast and IPv4 in disguise (::ffff:, 64:ff9b::) lie outside of it. */
const OPEN_6: readonly [string, number] = ['2000::', 3]
const INSIDE_6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // Teredo and others that lead elsewhere
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: any IPv4 address in disguise
  ['3fff::', 20],
]

const listOf = (subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return list
}
const inside4 = listOf(INSIDE_4, 'ipv4')
const open6 = listOf([OPEN_6], 'ipv6')
const inside6 = listOf(INSIDE_6, 'ipv6')

/** What a setting (`TABLINUM_WEBHOOK_ALLOW`, `TABLINUM_SOURCE_ALLOW`) names besides the open internet. */
export interface Allowed {
  has(host: string, address?: string): boolean
}

/** Hosts (`hooks.internal`), addresses (`10.0.0.7`) and networks (`10.1.0.0/16`). */
export const allowedBy = (entries: readonly string[]): Allowed => {
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

const isOpen = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return !inside4.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && open6.check(address, 'ipv6') && !inside6.check(address, 'ipv6')
}

/** May this host be reached at this address? */
export const mayReach = (host: string, address: string, allowed: Allowed): boolean => allowed.has(host, address) || isOpen(address)

/** The host of an address as DNS and sockets know it: IPv6 without its brackets, no dot at the end. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const LOCAL = /^localhost$|\.localhost$|\.local$|\.internal$/i

/** What is wrong with an address before anybody is asked for it; nothing when it may do. DNS has its say when it is used. */
export const problemWith = (text: string, allowed: Allowed): string | undefined => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be a URL that starts with https:// or http://.'
  if (url.username || url.password) return 'must not hold a user or password; check the signature instead.'
  const host = hostOf(url)
  if (host === '') return 'has no host.'
  if (allowed.has(host)) return undefined
  if (isIP(host) !== 0 ? !isOpen(host) : LOCAL.test(host))
    return `leads inside: ${host} is not on the open internet. TABLINUM_WEBHOOK_ALLOW can allow it.`
  return undefined
}
