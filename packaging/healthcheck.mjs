// Exits with 0 if the server of this container answers.
const port = process.env.TABLINUM_HEALTH_PORT || process.env.PORT || 3000
const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
