import type { Device } from '#src/sync/device.ts'

/** What every route is given. */
export type RouterContext = { device: Device }
