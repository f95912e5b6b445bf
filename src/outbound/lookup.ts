import { lookup as resolve } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { type Allowed, hostOf, mayReach } from './addresses.ts'

/** The error for a host that must not be reached at this address. */
export type Rejected = (host: string, address: string) => Error

/** Node looks nothing up for what is an address already: to be called for each address, and each redirect. */
export const mustBeReachable = (url: URL, allowed: Allowed, rejected: Rejected): void => {
  const host = hostOf(url)
  if (isIP(host) !== 0 && !mayReach(host, host, allowed)) throw rejected(host, host)
}

/**
 * A name is resolved here, once, for the connection itself: the address that was checked is the one connected to, so a name that changes in
 * between leads nowhere else.
 */
export const lookupFor =
  (allowed: Allowed, rejected: Rejected): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { all: true, family: options.family, hints: options.hints })
      .then((found) => {
        const host = hostname.replace(/\.$/, '')
        const open = found.filter(({ address }) => mayReach(host, address, allowed))
        const [first] = open
        if (!first) throw rejected(host, found[0]?.address ?? 'nowhere')
        if (options.all) done(null, open)
        else done(null, first.address, first.family)
      })
      .catch((error) => done(error, '', 0))
  }
