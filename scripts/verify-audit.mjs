// npm run verify-audit: whether the audit logs are as they were written. See docs/operations.md.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/verify-audit.js')
