import type { ReactNode } from 'react'
import { insurancePriorities, relationships } from '#contract/insurance/insurance.ts'
import { lensKinds, services } from '#contract/insurance/insurance-benefits.ts'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { SelectField, type SelectOption } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { type MoneyField, type PolicyForm, type Problems, withPlan } from '../form.ts'
import type { useInsuranceLists } from '../queries.ts'
import { lensNames, priorityNames, relationshipNames, serviceNames } from '../words.ts'

export type PolicyFieldsProps = {
  form: PolicyForm
  problems: Problems
  lists: ReturnType<typeof useInsuranceLists>
  onChange: (form: PolicyForm) => void
}

type PlainField = Extract<
  keyof PolicyForm,
  | 'company_name'
  | 'plan_name'
  | 'member_id'
  | 'group_no'
  | 'bin'
  | 'payer_id'
  | 'subscriber_name'
  | 'subscriber_dob'
  | 'effective_date'
  | 'term_date'
  | 'auth_number'
  | 'auth_obtained_at'
  | 'auth_expires_at'
  | 'eligibility_checked_at'
>

const none: SelectOption<string> = { value: '', label: 'Select' }
const coverOptions = [
  { value: '', label: 'Not covered' },
  { value: 'covered', label: 'Covered' },
  { value: 'copay', label: 'Copay' },
  { value: 'discount', label: 'Discount' },
] as const
const moneyNames: [MoneyField, string][] = [
  ['exam_copay_cents', 'Exam copay, $'],
  ['material_copay_cents', 'Material copay, $'],
  ['contact_fit_copay_cents', 'Contact lens fitting copay, $'],
  ['frame_allowance_cents', 'Frame allowance, $'],
  ['cl_allowance_cents', 'Contact lens allowance, $'],
]

/** Every field of a policy except its photos. */
export function PolicyFields({ form, problems, lists, onChange }: PolicyFieldsProps) {
  const set = (change: Partial<PolicyForm>) => onChange({ ...form, ...change })
  const text = (field: PlainField, label: string, more: { required?: true; hint?: string; maxLength?: number } = {}) => (
    <TextField
      label={label}
      autoComplete="off"
      spellCheck={false}
      value={form[field]}
      onChange={(value) => set({ [field]: value })}
      error={problems[field]}
      hint={more.hint}
      required={more.required}
      maxLength={more.maxLength ?? 200}
    />
  )
  const date = (field: PlainField, label: string, hint?: string) => (
    <DateField
      label={label}
      autoComplete="off"
      value={form[field]}
      onChange={(value) => set({ [field]: value })}
      error={problems[field]}
      hint={hint}
    />
  )
  return (
    <div className="flex flex-col gap-6">
      <Part title="Policy">
        <CompanyAndPlan form={form} problems={problems} lists={lists} onChange={onChange} text={text} />
        <SelectField
          label="Coverage"
          required
          options={[none, ...lists.coverageTypes.map(({ coverage_type_id, name }) => ({ value: String(coverage_type_id), label: name }))]}
          value={form.coverage}
          onChange={(coverage) => set({ coverage })}
          error={problems['coverage_type_id']}
        />
        <SelectField
          label="Priority"
          required
          options={[{ value: '', label: 'Select' }, ...insurancePriorities.map((value) => ({ value, label: priorityNames[value] }))]}
          value={form.priority}
          onChange={(priority) => set({ priority })}
          error={problems['priority']}
        />
        {text('member_id', 'Member ID', { required: true, maxLength: 40 })}
        {text('group_no', 'Group number', { maxLength: 40 })}
        {text('bin', 'BIN', { maxLength: 20 })}
        {text('payer_id', 'Payer ID', { maxLength: 20 })}
        {date('effective_date', 'Effective date')}
        {date('term_date', 'Term date', 'Leave blank if still active')}
        <SelectField
          label="In network"
          options={[
            { value: '', label: 'Unknown' },
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
          value={form.in_network}
          onChange={(in_network) => set({ in_network })}
        />
      </Part>

      <Part title="Subscriber">
        <SelectField
          label="Relationship to the subscriber"
          options={relationships.map((value) => ({ value, label: relationshipNames[value] }))}
          value={form.relationship}
          onChange={(relationship) => set({ relationship })}
        />
        {form.relationship !== 'self' && text('subscriber_name', 'Subscriber’s name', { hint: 'If the subscriber isn’t a patient here' })}
        {form.relationship !== 'self' && date('subscriber_dob', 'Subscriber’s date of birth')}
      </Part>

      <Part title="Benefits" lead="Leave blank if not covered.">
        {moneyNames.map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            inputMode="decimal"
            figures
            autoComplete="off"
            value={form.money[field]}
            onChange={(value) => set({ money: { ...form.money, [field]: value } })}
            error={problems[`benefits.${field}`]}
          />
        ))}
        <TextField
          label="Discount over the frame allowance, %"
          inputMode="numeric"
          figures
          autoComplete="off"
          value={form.discount}
          onChange={(discount) => set({ discount })}
          error={problems['benefits.frame_overage_discount_pct']}
        />
        {lensKinds.map((kind) => {
          const { kind: cover, amount } = form.lenses[kind]
          const change = (lens: Partial<PolicyForm['lenses'][typeof kind]>) =>
            set({ lenses: { ...form.lenses, [kind]: { ...form.lenses[kind], ...lens } } })
          return (
            <div key={kind} className="grid grid-cols-2 items-start gap-2">
              <SelectField
                label={`${lensNames[kind]} lenses`}
                options={coverOptions}
                value={cover}
                onChange={(value) => change({ kind: value, amount: '' })}
              />
              {(cover === 'copay' || cover === 'discount') && (
                <TextField
                  label={cover === 'copay' ? 'Copay, $' : 'Discount, %'}
                  inputMode="decimal"
                  figures
                  autoComplete="off"
                  value={amount}
                  onChange={(value) => change({ amount: value })}
                  error={problems[`benefits.lens_coverage.${kind}`]}
                />
              )}
            </div>
          )
        })}
      </Part>

      <Part title="How often" lead="Months between uses">
        {services.map((service) => (
          <div key={service} className="grid grid-cols-2 items-start gap-2">
            <TextField
              label={`${serviceNames[service]}: months`}
              inputMode="numeric"
              figures
              autoComplete="off"
              placeholder="no limit"
              value={form.months[service]}
              onChange={(value) => set({ months: { ...form.months, [service]: value } })}
              error={problems[`benefits.frequency.${service}`]}
            />
            <DateField
              label={`${serviceNames[service]}: last used`}
              value={form.used[service]}
              onChange={(value) => set({ used: { ...form.used, [service]: value } })}
              error={problems[`used.${service}`]}
            />
          </div>
        ))}
      </Part>

      <Part title="Authorization">
        {text('auth_number', 'Authorization number', { maxLength: 60 })}
        {date('auth_obtained_at', 'Obtained')}
        {date('auth_expires_at', 'Expires')}
        <fieldset className="sm:col-span-2 lg:col-span-3">
          <legend className="text-sm font-medium text-ink-2">Services authorized</legend>
          <div className="flex flex-wrap gap-x-6">
            {services.map((service) => (
              <Checkbox
                key={service}
                label={serviceNames[service]}
                checked={form.services_authorised.includes(service)}
                onChange={(checked) =>
                  set({
                    services_authorised: services.filter((one) => (one === service ? checked : form.services_authorised.includes(one))),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      </Part>

      <Part title="Eligibility">
        {date('eligibility_checked_at', 'Checked on')}
        <div className="sm:col-span-2 lg:col-span-3">
          <TextArea
            label="Payer response"
            hint="Paste it as received. Enter copays and allowances above."
            rows={4}
            maxLength={8000}
            value={form.eligibility_raw}
            onChange={(eligibility_raw) => set({ eligibility_raw })}
          />
        </div>
      </Part>
    </div>
  )
}

/** The company first, then one of its plans, which fills in its usual payments. */
function CompanyAndPlan({
  form,
  problems,
  lists,
  onChange,
  text,
}: PolicyFieldsProps & { text: (field: PlainField, label: string, more?: { required?: true; maxLength?: number }) => ReactNode }) {
  const plans = lists.plans.filter(({ company_id }) => String(company_id) === form.company)
  function chooseCompany(company: string) {
    const payer = lists.companies.find(({ company_id }) => String(company_id) === company)?.payer_id
    const plan = company === 'other' ? 'other' : ''
    onChange({ ...form, company, plan, plan_name: '', payer_id: payer ?? form.payer_id })
  }
  function choosePlan(value: string) {
    const plan = plans.find(({ plan_id }) => String(plan_id) === value)
    onChange(plan ? withPlan(form, plan) : { ...form, plan: value })
  }
  return (
    <>
      <SelectField
        label="Company"
        required
        options={[
          none,
          ...lists.companies.map(({ company_id, name }) => ({ value: String(company_id), label: name })),
          { value: 'other', label: 'Other company' },
        ]}
        value={form.company}
        onChange={chooseCompany}
        error={form.company === 'other' ? undefined : problems['company_id']}
      />
      {form.company === 'other' && (
        <TextField
          label="Company name"
          required
          maxLength={120}
          autoComplete="off"
          value={form.company_name}
          onChange={(company_name) => onChange({ ...form, company_name })}
          error={problems['company_name'] ?? problems['company_id']}
        />
      )}
      {form.company !== 'other' && (
        <SelectField
          label="Plan"
          hint="Choosing a plan fills in its usual benefits"
          disabled={form.company === ''}
          options={[
            { value: '', label: 'Unknown' },
            ...plans.map(({ plan_id, name }) => ({ value: String(plan_id), label: name })),
            { value: 'other', label: 'Other plan' },
          ]}
          value={form.plan}
          onChange={choosePlan}
        />
      )}
      {form.plan === 'other' && text('plan_name', 'Plan name', { maxLength: 120 })}
    </>
  )
}

function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      {lead && <p className="text-sm text-ink-2">{lead}</p>}
      <div className="mt-2 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
    </section>
  )
}
