// npm run restored: run it once after a restore, before the server starts. See docs/operations.md.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/restored.js')
