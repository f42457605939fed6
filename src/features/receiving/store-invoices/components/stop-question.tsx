import { OctagonAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#src/ui/button.tsx'
import { solidTones } from '#src/ui/tone.ts'

type Props = { asks: readonly string[]; name: string; isBusy: boolean; onKeep: () => void; onSetAside: () => void }

/** Asks whether to keep a piece that differs from the invoice. Nothing else is received before the user decides. */
export function StopQuestion({ asks, name, isBusy, onKeep, onSetAside }: Props) {
  const place = useRef<HTMLElement>(null)
  const [first, ...more] = asks
  useEffect(() => {
    // Leaves the focus where it is, so that the Enter of a scanner does not answer the question.
    place.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <section
      ref={place}
      role="alert"
      aria-label="Keep it or set it aside?"
      className={`flex flex-col gap-3 rounded-lg p-4 ${solidTones.warn}`}
    >
      <div className="flex items-start gap-3">
        <OctagonAlert size={32} aria-hidden className="mt-0.5 shrink-0" />
        <div className="min-w-0">
          <p className="text-2xl font-semibold">{first}</p>
          {more.map((ask) => (
            <p key={ask} className="text-lg font-semibold">
              {ask}
            </p>
          ))}
          <p className="break-words">{name} · not received yet</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button size="lg" onClick={onSetAside} disabled={isBusy}>
          Set aside
        </Button>
        <Button size="lg" busy={isBusy} onClick={onKeep}>
          Keep and receive
        </Button>
      </div>
    </section>
  )
}
