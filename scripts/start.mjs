// npm start: builds the stale parts, then serves. LORGNETTE_MODE, PORT and the rest are in docs/operations.md.
import { buildIfStale } from './build.mjs'

process.env.NODE_ENV ??= 'production'
await buildIfStale()
await import('../build/server/main.js')
