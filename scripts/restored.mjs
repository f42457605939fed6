// npm run restored: once after a backup was put back, before the server starts. See docs/operations.md.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/restored.js')
