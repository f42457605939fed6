import { useState } from 'react'
import type { Frame } from '#contract/stock/frame.ts'
import { pageSound } from '#src/device/sound.ts'
import { scannedFrame } from '#src/domain/frames/scanned-frame.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { ScanNotice } from '#src/ui/scan-notice.ts'
import type { Announcement } from './announcement.ts'

type Options = {
  /** A UPC that fits several pieces offers those of this store. */
  storeId: number | undefined
  /** Whether a piece is likely; likely ones come first. */
  isLikely?: (frame: Frame) => boolean
  /** Does the work for one piece. Returns the words for the user. */
  take: (frame: Frame, name: string) => Promise<Announcement>
}

/** Takes pieces by their labels, announces each result, and asks which piece a UPC means. */
export function usePieceScan({ storeId, isLikely = () => true, take }: Options) {
  const device = useDevice()
  const [notice, setNotice] = useState<ScanNotice | null>(null)
  /** The pieces that the last UPC fits; the user chooses one. */
  const [choice, setChoice] = useState<readonly Frame[] | null>(null)

  function announce({ text, tone, sound }: Announcement): void {
    setNotice({ text, tone })
    pageSound().play(sound)
  }

  async function takeFrame(frame: Frame): Promise<void> {
    setChoice(null)
    announce(await take(frame, pieceName(frame)))
  }

  return {
    notice,
    announce,
    choice,
    choose: takeFrame,
    dismissChoice: () => setChoice(null),
    /** Takes the text of a label, or typed text. */
    take: async (raw: string): Promise<void> => {
      const scanned = await scannedFrame(device, raw, storeId)
      if ('frame' in scanned) return await takeFrame(scanned.frame)
      if ('problem' in scanned) {
        setChoice(null)
        return announce({ text: scanned.problem, tone: 'bad', sound: scanned.isModel ? 'model-only' : 'unknown' })
      }
      setChoice(scanned.pieces.toSorted((a, b) => Number(isLikely(b)) - Number(isLikely(a))))
      announce({ text: `${scanned.code} is the UPC of a model. Choose the piece below.`, tone: 'warn', sound: 'model-only' })
    },
  }
}
export type PieceScan = ReturnType<typeof usePieceScan>

const pieceName = ({ sku, brand_name, title_product }: Frame) => `${sku}, ${brand_name} ${title_product}`
