-- A session in Neovim without a screen: opens a file with a fault, and prints what the editor shows as JSON lines.
local command, file = vim.env.MCPCFG_SERVER, vim.env.MCPCFG_FILE
local patience = 60000

local function say(what, value)
  io.stdout:write(vim.fn.json_encode({ what, value }) .. "\n")
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, patience) or {}) do
    return answer.result
  end
end

local function wait_for_codes(...)
  local wanted = { ... }
  local codes
  vim.wait(patience, function()
    codes = vim.tbl_map(function(entry) return entry.code end, vim.diagnostic.get(0))
    return vim.deep_equal(codes, wanted)
  end, 20)
  return codes
end

local function place(text)
  vim.fn.cursor(1, 1)
  local found = vim.fn.searchpos(text)
  vim.api.nvim_win_set_cursor(0, { found[1], found[2] - 1 })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

vim.cmd("edit " .. file)
local client = vim.lsp.start_client({
  name = "mcpcfg",
  cmd = vim.split(command, "\n"),
  root_dir = vim.fn.getcwd(),
  capabilities = vim.lsp.protocol.make_client_capabilities(),
  init_options = { commands = { "mcpcfg.showReferences" } },
})
-- as docs/editor.md has it
vim.lsp.commands["mcpcfg.showReferences"] = function(command, context)
  local encoding = vim.lsp.get_client_by_id(context.client_id).offset_encoding
  vim.fn.setqflist(vim.lsp.util.locations_to_items(command.arguments[3], encoding))
  vim.cmd("copen")
end
vim.lsp.buf_attach_client(0, client)

say("diagnostics", wait_for_codes("ADM001"))
say("hover", ask("textDocument/hover", place("transport")).contents.value)

local params = place("imag:")
local context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0) }
local actions = ask("textDocument/codeAction", {
  textDocument = params.textDocument,
  range = { start = params.position, ["end"] = params.position },
  context = context,
})
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
say("fixed", { wait_for_codes(), vim.api.nvim_buf_get_lines(0, 5, 6, true)[1] })

params = place("team")
params.newName = "crew"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), "utf-16")
say("renamed", vim.api.nvim_buf_get_lines(0, 7, 8, true)[1])

local lenses = ask("textDocument/codeLens", { textDocument = params.textDocument })
say("lens", ask("codeLens/resolve", lenses[1]).command.title)

params = place("stdio")
vim.api.nvim_buf_set_text(0, params.position.line, params.position.character, params.position.line, params.position.character + 5, { "" })
vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end, 20)
local items = ask("textDocument/completion", params)
say("completion", vim.tbl_map(function(item) return item.label end, items.items))

vim.o.hidden = true
vim.cmd("edit group.yaml")
vim.lsp.buf_attach_client(0, client)
local document = { uri = vim.uri_from_bufnr(0) }
local group = ask("codeLens/resolve", ask("textDocument/codeLens", { textDocument = document })[1])
vim.lsp.commands[group.command.command](group.command, { client_id = client })
say("listed", { group.command.title, vim.fn.getqflist()[1].text })
vim.cmd("quitall!")
