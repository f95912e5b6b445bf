import { createRequire } from 'node:module'

/** A driver whose native binding does not exist for this machine. */
createRequire(import.meta.url)('no-such-binding.node')
