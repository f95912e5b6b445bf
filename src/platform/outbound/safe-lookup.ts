import { lookup as resolve } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressAllowlist, getHost, isAddressAllowed } from './address-policy.ts'

/** Creates the error for a host that must not be connected to at this address. */
export type CreateAddressError = (host: string, address: string) => Error

/** Node skips the lookup for IP addresses, so this must be called for every URL and every redirect. */
export const assertAddressAllowed = (url: URL, allowed: AddressAllowlist, rejected: CreateAddressError): void => {
  const host = getHost(url)
  if (isIP(host) !== 0 && !isAddressAllowed(host, host, allowed)) throw rejected(host, host)
}

/**
 * Resolves a name once for the connection itself: the checked address is the one connected to, so DNS rebinding between check and
 * connection has no effect.
 */
export const createSafeLookup =
  (allowed: AddressAllowlist, rejected: CreateAddressError): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { all: true, family: options.family, hints: options.hints })
      .then((found) => {
        const host = hostname.replace(/\.$/, '')
        const open = found.filter(({ address }) => isAddressAllowed(host, address, allowed))
        const [first] = open
        if (!first) throw rejected(host, found[0]?.address ?? 'nowhere')
        if (options.all) done(null, open)
        else done(null, first.address, first.family)
      })
      .catch((error) => done(error, '', 0))
  }
