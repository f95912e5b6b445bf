import { hash, randomBytes } from 'node:crypto'

/** `tbl_` and 256 random bits. Only the hash and the last characters (to tell tokens apart in a list) are stored. */
export const newToken = (): string => `tbl_${randomBytes(32).toString('base64url')}`
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
export const tokenHint = (token: string): string => `…${token.slice(-4)}`
