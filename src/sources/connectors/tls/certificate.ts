import { X509Certificate } from 'node:crypto'

/** The PEM certificate of an authority. Drivers ignore an invalid one silently. */
export const assertCertificate = (ca: string): string => {
  try {
    new X509Certificate(ca)
    return ca
  } catch {
    throw new Error('The certificate authority must be a PEM certificate.')
  }
}
