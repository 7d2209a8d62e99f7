// Korean. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: '취소됨', message: '작업이 취소되었습니다.' },
  invalidInput: {
    title: '입력한 내용을 확인하세요',
    message: ({ detail }) => detail || '표시된 항목을 수정하세요.',
  },
  refused: { title: '실패했습니다', message: ({ detail }) => detail || '서비스에서 거부했습니다.' },
  signInFailed: { title: '로그인하지 못했습니다', message: '입력한 내용을 확인하고 다시 시도하세요.' },
  codeRefused: { title: '승인되지 않음', message: '입력한 내용을 확인하고 다시 시도하세요.' },
  codeExpired: { title: '인증 시간이 지났습니다', message: '인증 시간이 지났습니다. 처음부터 다시 시작하세요.' },
  mfaFailed: {
    title: '인증하지 못했습니다',
    message: ({ count }) =>
      count === 1
        ? '응답이 승인되지 않았습니다. 처음부터 다시 시작하세요.'
        : `응답 ${count}개가 승인되지 않았습니다. 처음부터 다시 시작하세요.`,
  },
  mfaRequired: { title: '인증이 필요합니다', message: '본인인지 확인해 주세요.' },
  signedOut: { title: '로그아웃됨', message: '계속하려면 로그인하세요.' },
  forbidden: { title: '허용되지 않음', message: ({ detail }) => detail || '이 작업을 할 권한이 없습니다.' },
  notFound: { title: '찾을 수 없음', message: ({ detail }) => detail || '존재하지 않거나 삭제되었습니다.' },
  rateLimited: {
    title: '시도 횟수가 너무 많습니다',
    message: ({ when }) => `${when('ko')?.concat('에') ?? '나중에'} 다시 시도하세요.`,
  },
  accountDisabled: { title: '비활성화된 계정', message: '이 계정은 비활성화되었습니다. 복구할까요?' },
  accountDeleted: { title: '삭제 예정인 계정', message: '이 계정은 삭제될 예정입니다. 복구할까요?' },
  serviceDown: {
    title: '서비스를 이용할 수 없음',
    message: '서비스에 문제가 있습니다. 나중에 다시 시도하세요.',
  },
  offline: { title: '오프라인 상태입니다', message: '연결을 확인하고 다시 시도하세요.' },
  unreachable: { title: '연결할 수 없음', message: '서비스에 연결할 수 없습니다. 다시 시도하세요.' },
  corsSuspected: { title: '연결할 수 없음', message: '서비스에 연결할 수 없습니다. 다시 시도하세요.' },
  timeout: { title: '시간 초과', message: '시간이 너무 오래 걸렸습니다. 다시 시도하세요.' },
  unreadable: {
    title: '예상하지 못한 응답',
    message: '변경 사항이 저장되었을 수 있습니다. 새로 고쳐서 확인하세요.',
  },
  passkeyUnsupported: {
    title: '패스키를 사용할 수 없음',
    message: '이 기기나 브라우저에서는 패스키를 사용할 수 없습니다.',
  },
  passkeyFailed: {
    title: '패스키를 사용하지 못했습니다',
    message: '패스키를 사용하지 못했습니다. 다시 시도하거나 다른 방법을 사용하세요.',
  },
  unexpected: { title: '문제가 발생했습니다', message: '예상하지 못한 오류가 발생했습니다.' },
  fields: {
    required: '필수 항목입니다.',
    invalid_type: '값의 종류가 올바르지 않습니다.',
    invalid_value: '여기에서 사용할 수 없는 값입니다.',
    invalid_format: '값의 형식이 올바르지 않습니다.',
    unknown_field: '알 수 없는 항목입니다.',
    too_short: '{limit}자 이상 입력하세요.',
    too_long: '{limit}자 이하로 입력하세요.',
    too_few: '{limit}개 이상 선택하세요.',
    too_many: '{limit}개 이하로 선택하세요.',
    conflict: '다른 항목과 맞지 않습니다.',
    too_deep: '중첩이 너무 깊습니다.',
  },
}

const attemptsLeft = (count: number) => `${count}번 더 시도할 수 있습니다.`
const repeated = '이미 거부된 값입니다. 다른 값을 입력하세요.'

/** Korean texts. Not reviewed by a native speaker. */
export const ko: Locale = {
  errors,
  dialog: {
    lang: 'ko',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login' ? '로그인 확인' : reason === 'password_reset' ? '새 비밀번호 확인' : '본인 확인',
    operations: {
      'Logout Auth Sessions': '기기에서 로그아웃',
      'Create Handoff Token': '다른 기기에서 로그인',
      'Publish Application Widget Config': '위젯 게시',
      'Delete Application Widget Config': '위젯 삭제',
    },
    choose: '확인 방법',
    methods: {
      totp: { name: '인증 앱', hint: '인증 앱의 코드를 입력하세요.', label: '코드' },
      sms: { name: 'SMS', hint: 'SMS로 코드를 받아 입력하세요.', label: '코드' },
      backup: { name: '백업 코드', hint: '사용하지 않은 코드를 입력하세요.', label: '백업 코드' },
      password: { name: '비밀번호', hint: '비밀번호를 입력하세요.', label: '비밀번호' },
      webauthn: { name: '패스키', hint: '패스키나 보안 키를 사용하세요.', verify: '패스키 사용' },
    },
    noMethod: '이 계정에는 확인 방법이 없습니다.',
    send: '코드 보내기',
    sendAgain: '다시 보내기',
    sendAgainIn: (when) => `${when} 다시 보내기`,
    sending: '보내는 중…',
    sent: (phone) => `${phone} 번호로 코드를 보냈습니다.`,
    verify: '확인',
    verifyIn: (when) => `${when} 다시 시도`,
    verifying: '확인하는 중…',
    cancel: '취소',
    empty: '이 항목을 입력하세요.',
    digits: (count) => `코드 ${count}자리를 입력하세요.`,
    refused: '승인되지 않았습니다.',
    repeated,
    attemptsLeft,
    rateLimited: '시도 횟수가 너무 많습니다.',
    unavailable: '서비스에 연결할 수 없습니다. 다시 시도하세요.',
    expired: '시간이 너무 오래 걸렸습니다. 계속하려면 다시 확인하세요.',
    failed: '실패했습니다. 다시 시도하세요.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: '로그인', password_reset: '새 비밀번호', elevation: `‘${endpoint}’` }
      return `${subject[reason]}: 인증이 필요합니다.`
    },
    choices: {
      totp: '인증 앱의 코드',
      sms: 'SMS로 코드 보내기',
      backup: '백업 코드',
      password: '비밀번호',
    },
    choose: (count, preset) => `1부터 ${count}까지의 번호 [${preset}]`,
    prompts: {
      totp: '인증 앱의 코드',
      sms: 'SMS의 코드',
      backup: '백업 코드',
      password: '비밀번호',
    },
    enter: {
      send: 'Enter 키를 누르면 보냄',
      sendAgain: 'Enter 키를 누르면 다시 보냄',
      otherMethod: 'Enter 키를 누르면 다른 방법 표시',
    },
    sent: (phone) => `${phone} 번호로 보냈습니다.`,
    sendAgainIn: (seconds) => `${seconds}초 후에 SMS를 다시 보낼 수 있습니다.`,
    attemptsLeft,
    repeated,
    closed: '더 이상 응답이 필요하지 않습니다.',
    errors,
  },
}
