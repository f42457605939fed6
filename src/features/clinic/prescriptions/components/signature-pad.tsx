import { useRef, type PointerEvent } from 'react'
import { Button } from '#src/ui/button.tsx'
import { signatureBox, Strokes } from '#src/ui/drawn-signature.tsx'

const { width, height } = signatureBox
/** Limits a drawing, so that the server accepts the signature of a user who scribbles for minutes. */
const mostNumbers = 8000
const thinned = 6

/** A field to sign in with pen, finger or mouse. */
export function SignaturePad({ strokes, onChange }: { strokes: number[][]; onChange: (strokes: number[][]) => void }) {
  const drawing = useRef(false)
  const pointOf = (event: PointerEvent<SVGSVGElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect()
    const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), 1) * most)
    return [within((event.clientX - box.left) / box.width, width), within((event.clientY - box.top) / box.height, height)]
  }
  const total = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium text-ink-2" id="signature-pad">
        Sign here
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby="signature-pad"
        className="w-full touch-none rounded-md border border-line-strong bg-field"
        onPointerDown={(event) => {
          if (total >= mostNumbers || strokes.length >= 100) return
          event.currentTarget.setPointerCapture(event.pointerId)
          drawing.current = true
          const [x, y] = pointOf(event)
          onChange([...strokes, [x, y, x, y]])
        }}
        onPointerMove={(event) => {
          const last = strokes.at(-1)
          if (!drawing.current || !last || total >= mostNumbers || last.length >= 4000) return
          const [x, y] = pointOf(event)
          if (Math.abs(x - last.at(-2)!) + Math.abs(y - last.at(-1)!) >= thinned) onChange([...strokes.slice(0, -1), [...last, x, y]])
        }}
        onPointerUp={() => (drawing.current = false)}
        onPointerCancel={() => (drawing.current = false)}
      >
        <line x1="40" x2="960" y1="240" y2="240" className="stroke-line-strong" strokeWidth="2" />
        <Strokes strokes={strokes} />
      </svg>
      <div className="mt-2">
        <Button variant="quiet" disabled={strokes.length === 0} onClick={() => onChange([])}>
          Clear
        </Button>
      </div>
    </div>
  )
}
