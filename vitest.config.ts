import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/database.ts'],
    maxWorkers: 2, // each waits for Postgres half of its time: one alone leaves a core idle
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
