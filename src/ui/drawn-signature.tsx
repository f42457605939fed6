/** The box of a drawing, in which strokes are x, y, x, y… */
export const signatureBox = { width: 1000, height: 300 }

type Drawing = { strokes: readonly (readonly number[])[] }

export function Strokes({ strokes }: Drawing) {
  return strokes.map((stroke, place) => (
    <polyline
      key={place}
      points={stroke.join(' ')}
      fill="none"
      stroke="currentColor"
      strokeWidth="5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ))
}

/** A signature as the user drew it. */
export function DrawnSignature({ strokes }: Drawing) {
  return (
    <svg viewBox={`0 0 ${signatureBox.width} ${signatureBox.height}`} role="img" aria-label="Signature" className="h-16">
      <Strokes strokes={strokes} />
    </svg>
  )
}
