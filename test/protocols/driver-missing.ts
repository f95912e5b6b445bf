import { createRequire } from 'node:module'

/** A driver whose native part does not exist for this machine. */
createRequire(import.meta.url)('no-such-binding.node')
