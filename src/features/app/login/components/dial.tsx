import { useEffect, useState } from 'react'
import { formatDay, formatTime } from '#src/ui/format.ts'

const marks = Array.from({ length: 60 }, (_, mark) => mark)

/** The time on a finely divided dial with a brass index for the second. People at a time clock look there first. */
export function Dial({ now, timeZone }: { now: () => number; timeZone?: string | undefined }) {
  const [at, setAt] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1000)
    return () => clearInterval(timer)
  }, [now])
  const second = Math.floor(at / 1000) % 60
  return (
    <div className="relative aspect-square w-full max-w-[26rem]">
      <svg viewBox="-200 -200 400 400" className="absolute inset-0" fill="none" aria-hidden="true">
        <circle r="196" className="stroke-line" strokeWidth="1" />
        <circle r="150" className="fill-surface stroke-line" strokeWidth="1" />
        <circle r="118" className="stroke-line" strokeWidth="1" strokeDasharray="1 5" />
        {marks.map((mark) => (
          <line
            key={mark}
            y1={mark % 5 === 0 ? -164 : -172}
            y2="-186"
            transform={`rotate(${mark * 6})`}
            className={mark % 5 === 0 ? 'stroke-ink-2' : 'stroke-line-strong'}
            strokeWidth={mark % 5 === 0 ? 2 : 1}
          />
        ))}
        <g transform={`rotate(${second * 6})`}>
          <path d="M0 -150 L7 -134 L-7 -134 Z" className="fill-brass" />
          <line y1="-162" y2="-190" className="stroke-brass" strokeWidth="3" />
        </g>
      </svg>
      <div className="absolute inset-0 flex flex-col items-center justify-center">
        <p className="figures text-far font-light">{formatTime(at, timeZone)}</p>
        <p className="mt-1 engraved">{formatDay(at, timeZone)}</p>
      </div>
    </div>
  )
}
