import { serve } from './app/serve.ts'

/** Entry point of `npm start`, of the image, and of additional web processes. */
await serve(process.argv.slice(2))
