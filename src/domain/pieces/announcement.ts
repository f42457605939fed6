import type { ToneName } from '#src/device/sound.ts'
import type { ScanNotice } from '#src/ui/scan-notice.ts'

/** The result of a scan, in words and as a sound. */
export type Announcement = ScanNotice & { sound: ToneName }

export const announcement = (text: string, tone: ScanNotice['tone'], sound: ToneName): Announcement => ({ text, tone, sound })
