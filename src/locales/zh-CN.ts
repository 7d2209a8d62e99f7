// Simplified Chinese. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: '已取消', message: '操作已取消。' },
  invalidInput: { title: '请检查输入内容', message: ({ detail }) => detail || '请更正标出的项目。' },
  refused: { title: '操作失败', message: ({ detail }) => detail || '服务拒绝了此请求。' },
  signInFailed: { title: '登录失败', message: '请检查输入内容，然后重试。' },
  codeRefused: { title: '未通过', message: '请检查输入内容，然后重试。' },
  codeExpired: { title: '验证已过期', message: '验证已过期，请重新开始。' },
  mfaFailed: {
    title: '验证失败',
    message: ({ count }) => (count === 1 ? '验证未通过，请重新开始。' : `${count} 次验证均未通过，请重新开始。`),
  },
  mfaRequired: { title: '需要验证', message: '请确认是您本人。' },
  signedOut: { title: '已退出登录', message: '请登录后继续。' },
  forbidden: { title: '不允许', message: ({ detail }) => detail || '您没有权限执行此操作。' },
  notFound: { title: '未找到', message: ({ detail }) => detail || '此内容不存在或已被删除。' },
  rateLimited: {
    title: '尝试次数过多',
    message: ({ when }) => `请${when('zh-CN')?.replace(/^/, '在 ') ?? '稍后'}重试。`,
  },
  accountDisabled: { title: '账号已停用', message: '此账号已停用。要恢复它吗？' },
  accountDeleted: { title: '账号即将删除', message: '此账号即将删除。要恢复它吗？' },
  serviceDown: { title: '服务不可用', message: '服务出现问题，请稍后重试。' },
  offline: { title: '您已离线', message: '请检查网络连接，然后重试。' },
  unreachable: { title: '无法连接', message: '无法连接到服务，请重试。' },
  corsSuspected: { title: '无法连接', message: '无法连接到服务，请重试。' },
  timeout: { title: '超时', message: '用时过长，请重试。' },
  unreadable: { title: '意外的响应', message: '您的更改可能已保存。请刷新页面查看。' },
  passkeyUnsupported: { title: '无法使用通行密钥', message: '此设备或浏览器无法在这里使用通行密钥。' },
  passkeyFailed: { title: '通行密钥失败', message: '通行密钥未能使用。请重试，或使用其他方式。' },
  unexpected: { title: '出现问题', message: '发生了意外错误。' },
  fields: {
    required: '必填。',
    invalid_type: '值的类型不正确。',
    invalid_value: '此处不能使用这个值。',
    invalid_format: '值的格式不正确。',
    unknown_field: '未知的项目。',
    too_short: '请至少输入 {limit} 个字符。',
    too_long: '请最多输入 {limit} 个字符。',
    too_few: '请至少选择 {limit} 项。',
    too_many: '请最多选择 {limit} 项。',
    conflict: '与其他项目冲突。',
    too_deep: '嵌套过深。',
  },
}

const attemptsLeft = (count: number) => `还可尝试 ${count} 次。`
const repeated = '此内容之前已被拒绝，请输入其他内容。'

/** Simplified Chinese texts. Not reviewed by a native speaker. */
export const zhCN: Locale = {
  errors,
  dialog: {
    lang: 'zh-CN',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login' ? '确认登录' : reason === 'password_reset' ? '确认新密码' : '确认是您本人',
    operations: {
      'Logout Auth Sessions': '让设备退出登录',
      'Create Handoff Token': '在其他设备上登录',
      'Publish Application Widget Config': '发布小组件',
      'Delete Application Widget Config': '删除小组件',
    },
    choose: '确认方式',
    methods: {
      totp: { name: '身份验证器应用', hint: '请输入身份验证器应用中的验证码。', label: '验证码' },
      sms: { name: '短信', hint: '请获取短信验证码，然后输入。', label: '验证码' },
      backup: { name: '备用码', hint: '请输入未使用的备用码。', label: '备用码' },
      password: { name: '密码', hint: '请输入您的密码。', label: '密码' },
      webauthn: { name: '通行密钥', hint: '请使用您的通行密钥或安全密钥。', verify: '使用通行密钥' },
    },
    noMethod: '此账号没有可用的确认方式。',
    send: '发送验证码',
    sendAgain: '重新发送',
    sendAgainIn: (when) => `${when}重新发送`,
    sending: '正在发送…',
    sent: (phone) => `验证码已发送至 ${phone}。`,
    verify: '验证',
    verifyIn: (when) => `${when}重试`,
    verifying: '正在验证…',
    cancel: '取消',
    empty: '请填写此项。',
    digits: (count) => `请输入 ${count} 位数字的验证码。`,
    refused: '未通过验证。',
    repeated,
    attemptsLeft,
    rateLimited: '尝试次数过多。',
    unavailable: '无法连接到服务，请重试。',
    expired: '用时过长。请再次确认以继续。',
    failed: '操作失败，请重试。',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: '登录', password_reset: '新密码', elevation: `“${endpoint}”` }
      return `${subject[reason]}需要验证。`
    },
    choices: {
      totp: '身份验证器应用中的验证码',
      sms: '发送短信验证码',
      backup: '备用码',
      password: '密码',
    },
    choose: (count, preset) => `1 到 ${count} 的编号 [${preset}]`,
    prompts: {
      totp: '身份验证器应用中的验证码',
      sms: '短信验证码',
      backup: '备用码',
      password: '密码',
    },
    enter: {
      send: '按回车键发送',
      sendAgain: '按回车键重新发送',
      otherMethod: '按回车键显示其他方式',
    },
    sent: (phone) => `已发送至 ${phone}。`,
    sendAgainIn: (seconds) => `${seconds} 秒后可再次发送短信。`,
    attemptsLeft,
    repeated,
    closed: '不再需要回答。',
    errors,
  },
}
