import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf, formatTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/** The pieces received on this tablet that are unsent or refused. */
export function WaitingPieces({
  waiting,
  timeZone,
  onChoose,
  onKeep,
  onSetAside,
}: {
  waiting: readonly WaitingReceived[]
  timeZone: string | undefined
  /** Chooses the model of an unknown UPC. Null while models cannot be searched. */
  onChoose: ((piece: WaitingReceived, code: string) => void) | null
  /** Keeps the piece that the server asks about, or sets it aside. Null when nothing can be received. */
  onKeep: ((piece: WaitingReceived) => void) | null
  onSetAside: ((piece: WaitingReceived) => void) | null
}) {
  const refused = waiting.filter(({ refusal }) => refusal !== null)
  const kept = waiting.filter(({ refusal }) => refusal === null)
  return (
    <>
      {refused.length > 0 && (
        <Notice tone="bad" title={`${formatNumberOf(refused.length, 'scan')} refused by the server`}>
          <ul aria-label="Refused by the server" className="max-h-40 overflow-y-auto">
            {refused.map((piece) => {
              const { code } = piece.body
              return (
                <li key={piece.id} className="flex flex-wrap items-center gap-x-3 break-words">
                  {piece.title.replace(/^Received: /, '')}: {piece.refusal?.message}
                  {onChoose && piece.refusal?.code === 'model-unknown' && typeof code === 'string' && (
                    <Button onClick={() => onChoose(piece, code)}>Choose the model</Button>
                  )}
                  {piece.refusal?.code === 'piece-to-confirm' && onKeep && onSetAside && (
                    <>
                      <Button onClick={() => onSetAside(piece)}>Set aside</Button>
                      <Button onClick={() => onKeep(piece)}>Keep and receive</Button>
                    </>
                  )}
                </li>
              )
            })}
          </ul>
          <p>Fix, retry or discard them in Sync.</p>
        </Notice>
      )}
      {kept.length > 0 && (
        <Notice tone="warn" title={`${formatNumberOf(kept.length, 'scan')} to send`}>
          <ul aria-label="Waiting to send" className="max-h-40 overflow-y-auto">
            {kept.map(({ id, title, by, at }) => (
              <li key={id} className="break-words">
                {title.replace(/^Received: /, '')} (<bdi>{by}</bdi>, {formatTime(at, timeZone)})
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
