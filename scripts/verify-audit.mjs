// npm run verify-audit: checks the audit logs for changed rows. See docs/operations.md.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/verify-audit.js')
