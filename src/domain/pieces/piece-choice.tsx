import { Button } from '#src/ui/button.tsx'
import { PieceList } from './piece-list.tsx'
import type { PieceScan } from './use-piece-scan.ts'

/** Asks which piece a scanned UPC means, while there is a choice. */
export function PieceChoice({ scan: { choice, choose, dismissChoice } }: { scan: PieceScan }) {
  if (!choice) return null
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <PieceList frames={choice} onPick={(frame) => void choose(frame)} />
      </div>
      <Button onClick={dismissChoice}>None of these</Button>
    </div>
  )
}
