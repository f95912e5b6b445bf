/** Answers of the administrative API of dbt Cloud, written after its OpenAPI document. */

const CREATED = '2026-04-01 06:00:00.000000+00:00'

export const createJob = (id: number, name: string, project_id = 3, more: object = {}) => ({
  ...{ id, account_id: 7, project_id, environment_id: 5, name, description: '', execute_steps: ['dbt build'], dbt_version: null },
  ...{ generate_docs: false, run_generate_sources: false, generate_sources: false, state: 1, job_type: 'scheduled', is_deferrable: false },
  ...{ settings: { threads: 4, target_name: 'default' }, execution: { timeout_seconds: 0 }, triggers_on_draft_pr: false },
  ...{ triggers: { github_webhook: false, schedule: true, git_provider_webhook: null, on_merge: false, custom_branch_only: null } },
  schedule: {
    cron: '0 6 * * *',
    date: { type: 'every_day', days: null, cron: null },
    time: { type: 'at_exact_hours', hours: [6], interval: 1 },
  },
  ...{ deferring_environment_id: null, deferring_job_definition_id: null, lifecycle_webhooks: false, lifecycle_webhooks_url: null },
  ...{ run_compare_changes: false, compare_changes_flags: '--select state:modified', run_lint: false, errors_on_lint_failure: true },
  ...{ raw_dbt_version: null, run_failure_count: 0, job_completion_trigger_condition: null, created_at: CREATED, updated_at: CREATED },
  ...{ account: null, project: null, environment: null, ...more },
})

export const createRun = (id: number, status: number, finished_at: string | null) => ({
  ...{ id, status, account_id: 7, project_id: 3, environment_id: 5, job_definition_id: 1, job_id: 1, trigger_id: 9, status_message: null },
  ...{ created_at: CREATED, updated_at: CREATED, dequeued_at: CREATED, started_at: '2026-04-14 06:00:00.000000+00:00', finished_at },
  ...{ is_complete: finished_at !== null, is_success: status === 10, is_error: status === 20, is_cancelled: false, in_progress: false },
  ...{ status_humanized: 'Success', duration: '00:01:00', run_duration: '00:00:58', queued_duration: '00:00:02', artifacts_saved: true },
  ...{ git_branch: 'main', git_sha: 'abc', dbt_version: 'latest', has_docs_generated: false, has_sources_generated: false, run_steps: [] },
  ...{ trigger: null, job: null, environment: null, href: `https://example.com/${id}` },
})

/** A step of a run; steps that were not reached have status 1. */
export const createStep = (index: number, name: string, status = 10) => ({
  ...{ id: 100 + index, run_id: 11, account_id: 7, index, name, status, logs: '', debug_logs: '', log_path: '', debug_log_path: '' },
  ...{ truncated_debug_logs: '', status_humanized: 'Success', duration: '00:00:01', created_at: CREATED, updated_at: CREATED },
})

/** One run with its steps. */
export const toRun = (run: object, run_steps: readonly object[]) => ({ data: { ...run, run_steps }, status: STATUS })

const STATUS = { code: 200, is_success: true, user_message: 'Success!', developer_message: '' }

export const toPage = (data: readonly object[], total_count = data.length) => ({
  data,
  extra: { filters: { limit: 100, offset: 0, account_id: 7 }, order_by: 'id', pagination: { count: data.length, total_count } },
  status: STATUS,
})
