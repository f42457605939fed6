import type { Device } from '#src/sync/device/device.ts'

/** Given to every route. `shown`: the page on the screen while the next one loads. */
export type RouterContext = { device: Device; shown: { pathname: string | null } }
