import type { ReactNode } from 'react'
import { formatDateTime } from '#src/ui/format.ts'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import type { Choice, ComparedField } from '../model/conflict.ts'
import { fieldLabels } from '../model/field-words.ts'
import { FieldValue } from './field-value.tsx'

/** Shows the user's value and the server's value of each field. The user chooses one for each disputed field. */
export function ConflictChoices({
  fields,
  choices,
  onChoose,
  timeZone,
}: {
  fields: readonly ComparedField[]
  choices: Partial<Record<string, Choice>>
  onChoose: (field: string, choice: Choice) => void
  timeZone: string | undefined
}) {
  const disputed = fields.filter(({ isDisputed }) => isDisputed)
  const others = fields.filter(({ isDisputed }) => !isDisputed)
  return (
    <div className="flex flex-col gap-5">
      {disputed.map(({ field, mine, theirs, changer }) => (
        <RadioGroup
          key={field}
          label={`${fieldLabels[field]}: which version should we keep?`}
          look="cards"
          columns={2}
          value={choices[field] ?? null}
          onChange={(choice) => onChoose(field, choice)}
          options={[
            {
              value: 'mine',
              label: (
                <Value>
                  <FieldValue field={field} value={mine} />
                </Value>
              ),
              hint: 'Yours, not saved yet',
            },
            {
              value: 'theirs',
              label: (
                <Value>
                  <FieldValue field={field} value={theirs} />
                </Value>
              ),
              hint: changer ? (
                <>
                  Theirs: <bdi>{changer.rep}</bdi>, {formatDateTime(changer.at, timeZone)}
                </>
              ) : (
                'Theirs, saved on the server'
              ),
            },
          ]}
        />
      ))}
      {others.length > 0 && (
        <div>
          <p className="mb-1 text-sm font-medium text-ink-2">Also yours, with no other changes</p>
          <ul className="flex flex-col gap-1">
            {others.map(({ field, mine, theirs }) => (
              <li key={field} className="break-words">
                {fieldLabels[field]}: <FieldValue field={field} value={theirs} /> →{' '}
                <strong>
                  <FieldValue field={field} value={mine} />
                </strong>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function Value({ children }: { children: ReactNode }) {
  return <strong className="font-semibold break-words whitespace-pre-line">{children}</strong>
}

export function allChosen(fields: readonly ComparedField[], choices: Partial<Record<string, Choice>>): boolean {
  return fields.every(({ field, isDisputed }) => !isDisputed || choices[field] !== undefined)
}
