// npm run first-account: the first store and administrator of a new installation. See docs/operations.md.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/first-account.js')
