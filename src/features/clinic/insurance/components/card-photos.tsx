import { Image } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Insurance, photoSides, type PhotoSide, policyName } from '#contract/insurance/insurance.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { failureWords, readPhoto } from '../actions.ts'

const sideNames: Record<PhotoSide, string> = { front: 'Front of the card', back: 'Back of the card' }

/** Fetches a photo of the policy's card when a user opens it, because the server records each look. */
export function CardPhotos({ policy }: { policy: Insurance }) {
  const [shown, setShown] = useState<PhotoSide | null>(null)
  const sides = photoSides.filter((side) => policy[`${side}_photo`] !== null)
  if (sides.length === 0) return null
  return (
    <>
      {sides.map((side) => (
        <Button key={side} icon={<Image size={18} aria-hidden />} onClick={() => setShown(side)}>
          {sideNames[side]}
        </Button>
      ))}
      {shown && <PhotoDialog policy={policy} side={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function PhotoDialog({ policy, side, onClose }: { policy: Insurance; side: PhotoSide; onClose: () => void }) {
  const device = useDevice()
  const [address, setAddress] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    let made: string | null = null
    void readPhoto(device, policy, side).then((answer) => {
      if (gone) return
      if (!answer.ok) return setProblem(failureWords(answer.failure))
      made = URL.createObjectURL(answer.value)
      setAddress(made)
    })
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [device, policy, side])
  return (
    <Dialog open onClose={onClose} size="lg" title={sideNames[side]} description={policyName(policy)}>
      {problem ? (
        <Notice tone="bad" title="Couldn’t show the photo">
          {problem}
        </Notice>
      ) : address ? (
        <img src={address} alt={`${sideNames[side]}, ${policyName(policy)}`} className="mx-auto max-h-[70dvh] object-contain" />
      ) : (
        <Skeleton height="card" />
      )}
    </Dialog>
  )
}
