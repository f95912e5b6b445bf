/** A server of DynamoDB's protocol; the package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http'

  const dynalite: (options: { readonly createTableMs: number }) => Server
  export default dynalite
}
