import type { Device } from '#src/sync/device/device.ts'

/** What every route is given. `shown`: the page on the screen, while another one is on its way. */
export type RouterContext = { device: Device; shown: { pathname: string | null } }
