// npm run demo -- --frames 100000 --patients 50000 [--fresh]: fills the data folder with a demo chain of that size.
import { buildIfStale } from './build.mjs'

await buildIfStale(['server'])
await import('../build/server/make-demo.js')
