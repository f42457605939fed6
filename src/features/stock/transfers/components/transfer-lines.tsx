import { X } from 'lucide-react'
import { type Frame, sizeOf } from '#contract/stock/frame.ts'
import type { TransferLine } from '#contract/stock/transfers.ts'
import type { WaitingChange } from '#src/domain/frames/record-frame-state.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { Tone } from '#src/ui/tone.ts'
import { lineWords } from '../words.ts'

type Props = {
  lines: readonly TransferLine[]
  timeZone: string | undefined
  busy: boolean
  /** The unsent changes of these pieces on this tablet. */
  waiting: readonly WaitingChange[]
  /** The pieces that were added on this tablet and are unsent. */
  unsent: ReadonlySet<number>
  /** Null when nothing can be removed. The other is null when nothing can be received. */
  onRemove: ((frame: Frame) => void) | null
  onDamaged: ((line: TransferLine) => void) | null
}

/** The pieces of a transfer. Those that did not arrive yet come first. */
export function TransferLines({ lines, timeZone, busy, waiting, unsent, onRemove, onDamaged }: Props) {
  const sorted = [...lines].sort((a, b) => Number(a.state !== 'in transit') - Number(b.state !== 'in transit'))
  return (
    <ul aria-label="Frames on this transfer" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {sorted.map((line) => {
        const { frame, state } = line
        const kept = state === 'in transit' ? waiting.find(({ body }) => body.id_inventory === frame.id_inventory) : undefined
        const { label, tone } = kept ? keptWords(kept) : lineWords[state]
        return (
          <li key={frame.id_inventory} className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-[1_1_14rem]">
              <p className="truncate font-medium">
                {frame.brand_name} {frame.title_product}
              </p>
              <p className="truncate text-sm text-ink-2">{[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}</p>
            </div>
            <p className="figures font-semibold">{frame.sku}</p>
            <div className="flex min-w-0 flex-col items-end">
              {state !== 'listed' && <Badge tone={tone}>{label}</Badge>}
              {state === 'listed' && unsent.has(frame.id_inventory) && <Badge tone="warn">Waiting to send</Badge>}
              {line.received_at !== null && (
                <span className="text-sm text-ink-2">
                  {line.received_by !== null && (
                    <>
                      <bdi>{line.received_by}</bdi>,{' '}
                    </>
                  )}
                  {[formatDateTime(line.received_at, timeZone), line.note].filter(Boolean).join(', ')}
                </span>
              )}
            </div>
            {state === 'in transit' && !isUnderWay(kept) && onDamaged && (
              <Button disabled={busy} aria-label={`${frame.sku} is damaged`} onClick={() => onDamaged(line)}>
                Damaged
              </Button>
            )}
            {state === 'listed' && onRemove && (
              <IconButton
                label={`Remove ${frame.sku}`}
                icon={<X size={20} aria-hidden />}
                disabled={busy}
                onClick={() => onRemove(frame)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const isUnderWay = (kept: WaitingChange | undefined) => kept !== undefined && kept.refusal === null

function keptWords({ refusal, body }: WaitingChange): { label: string; tone: Tone } {
  if (refusal) return { label: 'Couldn’t send', tone: 'bad' }
  return { label: body.action === 'state_defective' ? 'Damaged, waiting to send' : 'Received, waiting to send', tone: 'warn' }
}
