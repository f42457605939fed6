import { useSession } from '#src/sync/react/device-context.tsx'
import { Fact } from '#src/ui/facts.tsx'
import { usePatientBalance } from './queries.ts'
import { balanceWords } from './words.ts'

/**
 * The patient's balance, for the head of their page. Empty without the permission, or until the server has answered.
 */
export function PatientBalance({ idPatient }: { idPatient: string }) {
  const mayRead = useSession((session) => session.home?.permissions.includes('invoice.read')) === true
  return mayRead ? <Told idPatient={idPatient} /> : null
}

function Told({ idPatient }: { idPatient: string }) {
  const balance = usePatientBalance(idPatient)
  if (!balance) return null
  return (
    <Fact term="Balance">
      <span className={balance.pt_balance_cents > 0 ? 'text-warn' : ''}>{balanceWords(balance)}</span>
    </Fact>
  )
}
